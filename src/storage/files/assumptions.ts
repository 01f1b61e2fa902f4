import { join } from 'node:path';
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
  const listUnsettled = assumptions.summaries<AssumptionFile>({
    indexFile: join(layout.index, 'assumptions.json'),
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
