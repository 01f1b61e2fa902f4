import type { AssumptionStore } from '../../ports/store.js';
import { AssumptionFile, assumptionsIn, emptyAssumptionFile } from '../../protocol/assumption.js';
import type { FilesContext } from './files-context.js';
import { JsonFolder, readEach } from './json-folder.js';
import { issueFileNames } from './layout.js';

/** `state/assumptions/issue-{N}.json` */
export function assumptionFiles(context: FilesContext): AssumptionStore {
  const assumptions = new JsonFolder<number, AssumptionFile>(context, {
    folder: context.layout.assumptions,
    what: 'list of assumptions',
    schema: AssumptionFile,
    ...issueFileNames,
  });
  const listUnsettled = assumptions.summaries<AssumptionFile>({
    index: 'assumptions',
    version: 1,
    of: unsettledIn,
    compare: (left, right) => left.issueNumber - right.issueNumber,
  });
  return {
    ...assumptions.orEmpty(emptyAssumptionFile),
    async list(filter) {
      const { items, damaged } =
        filter?.unsettled === true
          ? listUnsettled()
          : readEach(assumptions.keys(), (key) => assumptions.file(key).readNow());
      return { ...assumptionsIn(items, filter), damaged };
    },
  };
}

function unsettledIn(file: AssumptionFile): AssumptionFile | null {
  return file.assumptions_made.some(({ unsettled }) => unsettled === true) ? file : null;
}
