import type { AssumptionStore } from '../../ports/store.js';
import { AssumptionFile, assumptionsIn, emptyAssumptionFile } from '../../protocol/assumption.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder, readEach } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';

/** `state/assumptions/issue-{N}.json` */
export function assumptionFiles(context: FilesContext, layout: Layout): AssumptionStore {
  const assumptions = new JsonFolder<number, AssumptionFile>(context, {
    folder: layout.assumptions,
    what: 'list of assumptions',
    schema: AssumptionFile,
    ...issueFileNames,
  });
  return {
    ...assumptions.orEmpty(emptyAssumptionFile),
    async list(filter) {
      const { items, damaged } = readEach(assumptions.keys(), (key) => assumptions.file(key).readNow());
      return { ...assumptionsIn(items, filter), damaged };
    },
  };
}
