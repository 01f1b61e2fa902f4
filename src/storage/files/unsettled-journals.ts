import { basename, join } from 'node:path';
import { AgentXError } from '../../protocol/errors.js';
import { isNamedAfter } from './journal-file.js';
import {
  ABANDONED_MS,
  type FoundJournal,
  isMissing,
  type LeftJournal,
  lookAt,
  newestOf,
  type RecoveryOptions,
  recoverJournals,
} from './journal-recovery.js';
import { canonicalPath } from './json-file-lock.js';
import { thisProcess } from './process-identity.js';
import { problemAndRemedy } from './store-error.js';

/** How often it is tried again, and how long to wait for each document's lock: all of this process waits meanwhile. */
const AGAIN_MS = 1_000;
const LOCK_WAIT_MS = 100;

/**
 * The journals that were there when the store was opened and could not be recovered: a lock was not free, the disk
 * refused, or their owner may be alive on another host. Their content was acknowledged. A document written without it
 * would be later than the journal, and bury it for good; so it is not written.
 */
export class UnsettledJournals {
  #journals: readonly LeftJournal[];
  #triedAt = performance.now();

  constructor(private readonly options: RecoveryOptions) {
    this.#journals = recoverJournals(options);
  }

  get left(): readonly LeftJournal[] {
    return this.#journals;
  }

  /** Tries again, now and then. Call this with no lock held. */
  settle(): void {
    if (this.#journals.length === 0 || performance.now() - this.#triedAt < AGAIN_MS) return;
    this.#journals = recoverJournals({ ...this.options, lockWaitMs: LOCK_WAIT_MS });
    this.#triedAt = performance.now();
  }

  /** Throws if one of them holds what is missing in `file`, whose lock is held. */
  refuse(file: string): void {
    for (const left of this.#journals) {
      if (this.#holdsMore(left, file)) throw isUnsettled(file, left);
    }
  }

  #holdsMore({ path, error }: LeftJournal, file: string): boolean {
    const { fs, layout, self = thisProcess() } = this.options;
    const root = canonicalPath(fs, layout.root);
    let journal: FoundJournal | undefined;
    try {
      journal = lookAt(this.options, path);
    } catch {
      // Its content is unknown. After a kill, what was acknowledged is in place.
      return error !== undefined && isNamedAfter(basename(path), self) === undefined;
    }
    if (journal === undefined) return false;
    const { records, fate } = journal;
    return [...newestOf(records)].some(
      (record) => join(root, record.path) === file && isMissing(fs, file, record, fate),
    );
  }
}

function isUnsettled(file: string, { path, error }: LeftJournal): AgentXError {
  const details = { path: file, journal: path };
  if (error === undefined) {
    const reason = `its owner may still be at work on another machine. If it is not, that is known ${ABANDONED_MS / 1000} s after its last write: try again then.`;
    return new AgentXError('STORE_ERROR', `Cannot write ${file}: ${path} ${HOLDS_MORE}: ${reason}`, details);
  }
  const { reason, todo } = problemAndRemedy('recover', path, error);
  const problem = `Cannot write ${file}: ${path} ${HOLDS_MORE}: ${reason}`;
  const remedy = `${todo} Then run: agentx doctor --repair`;
  return new AgentXError('STORE_ERROR', `${problem} ${remedy}`, { ...details, problem, remedy }, { cause: error });
}

const HOLDS_MORE = 'may hold a later version of it, which is not in place yet';
