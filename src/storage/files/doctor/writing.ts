import { join } from 'node:path';
import { putAway } from '../cleanup.js';
import { errorCode, type FileSystem, unlinkIfThere } from '../file-system.js';
import { layoutOf } from '../layout.js';
import { makeToken, scratchPath } from '../lock-names.js';
import { problemAndRemedy } from '../store-error.js';
import type { Examination, Findings } from './examination.js';

/** A page of memory or a block of a disk: less may fit where nothing else does. */
const SAMPLE = Buffer.alloc(4096, '\n');

/**
 * Whether the folders of the store can be written to: a full disk and a read-only one show only then. The file that is
 * tried is removed at once. A refusal that holds for several folders is told once.
 */
export function examineWriting({ fs, root, found, nameOf }: Examination): Findings {
  const ours = new Set<string>(Object.values(layoutOf(root)));
  const refusals = new Map<string | undefined, Findings['problems'][number]>();
  for (const { path } of found.folders.filter((folder) => ours.has(folder.path))) {
    try {
      writeSample(fs, path);
    } catch (error) {
      const code = errorCode(error);
      if (!refusals.has(code)) {
        refusals.set(code, { file: nameOf(path), ...problemAndRemedy('write to', path, error) });
      }
    }
  }
  return { problems: [...refusals.values()], repaired: [] };
}

function writeSample(fs: FileSystem, folder: string): void {
  const path = scratchPath(join(folder, 'doctor'), makeToken());
  const fd = fs.openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < SAMPLE.length; ) at += fs.writeSync(fd, SAMPLE, at);
    fs.fdatasyncSync(fd);
  } finally {
    fs.closeSync(fd);
    putAway(() => unlinkIfThere(fs, path));
  }
}
