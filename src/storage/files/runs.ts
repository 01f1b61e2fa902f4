import type { RunStore, UnfinishedRun } from '../../ports/store.js';
import { isFinished, Run } from '../../protocol/run.js';
import type { Claims } from './claims.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder, readEach } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';

/** `state/runs/issue-{N}.json` */
export function runFiles(context: FilesContext, layout: Layout, claims: Claims): RunStore {
  const runs = new JsonFolder<number, Run>(context, {
    folder: layout.runs,
    what: 'run',
    schema: Run,
    mode: 0o600,
    anyText: true,
    ...issueFileNames,
    keyIn: (run) => run.issueNumber,
  });
  const isCarried = (issueNumber: number) => claims.isLive({ run: issueNumber });
  const unfinished = (issueNumber: number): UnfinishedRun | undefined => {
    const file = runs.file(issueNumber);
    const run = file.readNow();
    if (run === undefined || isFinished(run)) return undefined;
    if (isCarried(issueNumber)) return { run, isCarried: true };
    // Whoever carried it may have come to its end between the two looks.
    const again = file.readNow();
    if (again === undefined || isFinished(again)) return undefined;
    const isSame = again.id === run.id && again.updatedAt === run.updatedAt;
    return { run: again, isCarried: !isSame && isCarried(issueNumber) };
  };
  return {
    read: (issueNumber) => runs.file(issueNumber).read(),
    update: (issueNumber, update, claim) => runs.file(issueNumber).update(update, claims.fenceOf(claim)),
    async list() {
      const { items, damaged } = runs.list();
      return { items: items.toSorted((a, b) => a.issueNumber - b.issueNumber), damaged };
    },
    async listUnfinished(issueNumbers) {
      const keys = runs.keys().filter((key) => issueNumbers?.has(key) ?? true);
      return readEach(
        keys.toSorted((a, b) => a - b),
        unfinished,
      );
    },
  };
}
