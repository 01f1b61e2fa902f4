import { join } from 'node:path';
import type { RunClaim, RunStore } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { Run, runClaimed } from '../../protocol/run.js';
import type { FilesContext } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';
import { acquireLock } from './lock.js';
import { readLock } from './lock-claim.js';
import { lockPath } from './lock-names.js';

/** Long enough to see that the holder is dead, which is known at the second look. */
const CLAIM_WAIT_MS = 250;

/** `state/runs/issue-{N}.json` */
export function runFiles(context: FilesContext, layout: Layout): RunStore {
  const runs = new JsonFolder<number, Run>(context, {
    folder: layout.runs,
    what: 'run',
    schema: Run,
    mode: 0o600,
    ...issueFileNames,
    keyIn: (run) => run.issueNumber,
  });
  return {
    read: (issueNumber) => runs.file(issueNumber).read(),
    update: (issueNumber, update) => runs.file(issueNumber).update(update),
    async list() {
      const { items, damaged } = runs.list();
      return { items: items.toSorted((a, b) => a.issueNumber - b.issueNumber), damaged };
    },
    claim: (issueNumber) => claim(context, layout, parseIssueNumber(issueNumber)),
  };
}

/** A lock of its own, held as long as the run is carried on: the file itself is free for whoever writes to it. */
async function claim({ fs, folders, agent }: FilesContext, layout: Layout, issueNumber: number): Promise<RunClaim> {
  folders.prepare(layout.runs);
  const path = join(layout.runs, `issue-${issueNumber}.claim.json`);
  try {
    const lock = await acquireLock(path, { fs, agent, waitMs: CLAIM_WAIT_MS });
    return { isHeld: () => lock.isMine(), release: () => lock.release() };
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'LOCK_TIMEOUT') throw error;
    const { pid, host, since } = readLock(fs, lockPath(path))?.body ?? {};
    throw runClaimed({
      issueNumber,
      ...(pid === undefined ? {} : { pid }),
      // Boot and namespace, which tell one machine from itself, tell people nothing.
      ...(host === undefined ? {} : { host: host.split('/')[0] ?? host }),
      ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
    });
  }
}
