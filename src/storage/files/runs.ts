import { join } from 'node:path';
import type { RunStore } from '../../ports/store.js';
import { Run } from '../../protocol/run.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';

/** `state/runs/issue-{N}.json` */
export function runFiles(context: FilesContext, layout: Layout): RunStore {
  const runs = new JsonFolder<number, Run, boolean>(context, {
    folder: layout.runs,
    indexFile: join(layout.index, 'runs.json'),
    what: 'run',
    schema: Run,
    mode: 0o600,
    ...issueFileNames,
    keyIn: (run) => run.issueNumber,
    summary: { version: 1, of: () => true },
  });
  return {
    read: (issueNumber) => runs.file(issueNumber).read(),
    update: (issueNumber, update) => runs.file(issueNumber).update(update),
    async list() {
      const { items, damaged } = runs.list(() => true);
      return { items: items.toSorted((a, b) => a.issueNumber - b.issueNumber), damaged };
    },
  };
}
