import type { ListedRun, RunStore } from '../../ports/store.js';
import { pageOf, positionOf } from '../../protocol/page.js';
import { isFinished, Run } from '../../protocol/run.js';
import type { Claims } from './claims.js';
import type { FilesContext } from './files-context.js';
import { JsonFolder, readEach } from './json-folder.js';
import { issueFileNames } from './layout.js';

/** `state/runs/issue-{N}.json` */
export function runFiles(context: FilesContext, claims: Claims): RunStore {
  const runs = new JsonFolder<number, Run>(context, {
    folder: context.layout.runs,
    what: 'run',
    schema: Run,
    anyText: true,
    ...issueFileNames,
  });
  const isCarried = (issueNumber: number) => claims.heldBy({ run: issueNumber }) === 'live';
  const readListed = (issueNumber: number, isWanted: (run: Run) => boolean): ListedRun | undefined => {
    const file = runs.file(issueNumber);
    const run = file.readNow();
    if (run === undefined || !isWanted(run)) return undefined;
    if (isFinished(run)) return { run, isCarried: false };
    if (isCarried(issueNumber)) return { run, isCarried: true };
    // The process that carried it may have ended it between the two looks.
    const laterRun = file.readNow();
    if (laterRun === undefined || !isWanted(laterRun)) return undefined;
    const isSame = laterRun.id === run.id && laterRun.updatedAt === run.updatedAt;
    return { run: laterRun, isCarried: !isFinished(laterRun) && !isSame && isCarried(issueNumber) };
  };
  return {
    ...claims.fenced(runs),
    async list({ finished, issues, ...paging } = {}) {
      const keys = runs.keys().filter((key) => issues?.has(key) ?? true);
      const isWanted = (run: Run) => finished === undefined || isFinished(run) === finished;
      const { items, damaged } = readEach(
        keys.toSorted((a, b) => a - b),
        (key) => readListed(key, isWanted),
      );
      return { ...pageOf(items, paging, ({ run }) => positionOf.run(run)), damaged };
    },
  };
}
