import { errorCode } from '../file-system.js';
import { layoutOf } from '../layout.js';
import { problemAndRemedy } from '../store-error.js';
import { writeSample } from '../write-whole.js';
import type { Examination, Findings } from './examination.js';

/** Whether the folders of the store can be written to. A refusal that holds for several folders is told once. */
export function examineWriting({ fs, root, contents, nameOf }: Examination): Findings {
  const storeFolders = new Set<string>(Object.values(layoutOf(root)));
  const refusals = new Map<string | undefined, Findings['problems'][number]>();
  for (const { path } of contents.folders.filter((folder) => storeFolders.has(folder.path))) {
    try {
      writeSample(fs, path, 'doctor');
    } catch (error) {
      const code = errorCode(error);
      if (!refusals.has(code)) {
        refusals.set(code, { file: nameOf(path), ...problemAndRemedy('write to', path, error) });
      }
    }
  }
  return { problems: [...refusals.values()], repaired: [] };
}
