import { join } from 'node:path';
import type { LedgerStore } from '../../ports/store.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseClarificationId } from '../../protocol/ids.js';
import type { FilesContext } from './json-file.js';
import type { Layout } from './layout.js';
import { acquireLock } from './lock.js';
import { lockPath } from './lock-names.js';
import { isLeft, readClaim } from './run-claims.js';

/** Long enough to see that the holder is dead, which is known at the second look. */
const CLAIM_WAIT_MS = 250;

/** A lock of its own for each clarification, held while its target is at work: the ledger is free for whoever writes to it. */
export function routeClaims(
  { fs, folders, agent }: FilesContext,
  layout: Layout,
): Pick<LedgerStore, 'claim' | 'routedBy'> {
  const fileOf = (clarificationId: string): string => {
    parseClarificationId(clarificationId);
    return join(layout.ledgers, `${clarificationId}.route.json`);
  };
  return {
    async claim(clarificationId) {
      const path = fileOf(clarificationId);
      folders.prepare(layout.ledgers);
      try {
        const lock = await acquireLock(path, { fs, agent, waitMs: CLAIM_WAIT_MS });
        return { release: () => lock.release() };
      } catch (error) {
        if (error instanceof AgentXError && error.code === 'LOCK_TIMEOUT') return undefined;
        throw error;
      }
    },
    async routedBy(clarificationId) {
      const lock = readClaim(fs, lockPath(fileOf(clarificationId)));
      if (lock === undefined) return 'none';
      return isLeft(lock) ? 'dead' : 'live';
    },
  };
}
