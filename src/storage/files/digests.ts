import { join } from 'node:path';
import { parseWeek } from '../../protocol/iso-week.js';
import { type FileSystem, readIfThere, realFileSystem } from './file-system.js';
import { filesContext } from './files-context.js';
import { orStoreError } from './store-error.js';
import { writeWhole } from './write-whole.js';

/**
 * `digests/DIGEST-YYYY-Wnn.md`: replaced whole, without a lock, because every writer writes the same. Returns the path.
 * A file with this content is not touched.
 */
export function writeDigest(root: string, week: string, text: string, fs: FileSystem = realFileSystem): string {
  const folder = join(root, 'digests');
  const path = join(folder, `DIGEST-${parseWeek(week)}.md`);
  filesContext(root, { fs }).folders.prepare(folder);
  orStoreError('write', path, () => {
    if (readIfThere(fs, path)?.toString('utf8') !== text) writeWhole(fs, path, text, 0o666);
  });
  return path;
}
