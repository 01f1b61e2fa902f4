import { join } from 'node:path';
import type { QuestionStore } from '../../ports/store.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { AsyncMutex } from './async-mutex.js';
import type { FilesContext } from './json-file.js';
import type { Layout } from './layout.js';
import { acquireLock } from './lock.js';

/** A lock of its own for each issue, held while somebody looks and asks: the questions are free for whoever answers. */
export function questionTurns(context: FilesContext, layout: Layout): QuestionStore['inTurn'] {
  const { fs, folders, agent, lockWaitMs: waitMs, onContention } = context;
  const mutex = new AsyncMutex();
  return (issueNumber, work) => {
    const path = join(layout.questions, `issue-${parseIssueNumber(issueNumber)}.asking.json`);
    return mutex.withLock(path, async () => {
      folders.prepare(layout.questions);
      const lock = await acquireLock(path, { fs, agent, waitMs, onContention });
      try {
        return await work();
      } finally {
        lock.release();
      }
    });
  };
}
