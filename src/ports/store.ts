import type { AgentStatusFile } from '../protocol/agent-status.js';
import type { Assumption, AssumptionFile } from '../protocol/assumption.js';
import type { ClaimOn } from '../protocol/claim.js';
import type { ClarificationLedger, ClarificationRecord } from '../protocol/clarification.js';
import type { AgentXError } from '../protocol/errors.js';
import type { Issue, IssueSummary } from '../protocol/issue.js';
import type { Interaction, OrchestratorState, TaskConfig } from '../protocol/orchestrator.js';
import type { Question } from '../protocol/question.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import type { Run } from '../protocol/run.js';
import type { Session } from '../protocol/session.js';
import type { Transcript } from '../protocol/transcript.js';
import type { Change } from './changes.js';

/**
 * What an update makes of a document: its next content and what the caller wants to know. Updates are pure and
 * synchronous, because several that wait for the same document are carried out together. Returning the content that
 * was given writes nothing; throwing changes nothing and reaches only the caller whose update threw.
 */
export type Update<T, R, Current = T> = (current: Current) => { readonly next: T; readonly result: R };

/** What was found, and what could not be read: one damaged document keeps nobody from the others. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** Each a CORRUPT_FILE that names the document and the reason. */
  readonly damaged: readonly AgentXError[];
}

/**
 * Everything that must outlive a process. An operation that resolves is durable; one that rejects changed nothing,
 * unless its STORE_ERROR says that durability is in doubt.
 */
export interface Store {
  readonly ledgers: LedgerStore;
  readonly statuses: StatusStore;
  readonly questions: QuestionStore;
  readonly assumptions: AssumptionStore;
  readonly issues: IssueStore;
  readonly runs: RunStore;
  readonly sessions: SessionStore;
  readonly transcripts: TranscriptStore;
  readonly orchestrator: OrchestratorStore;
  readonly interactions: InteractionStore;
  readonly tasks: TaskStore;
  /**
   * The right to do something alone, in all processes. CONFLICT while a live process, this one included, has it, with `by`,
   * `pid`, `host` and `since` of that process; the right of a process that died is free at once.
   */
  claim(on: ClaimOn, options?: ClaimOptions): Promise<Claim>;
  /** Whose right it is: of a live process, of one that died over it, or of none. */
  heldBy(on: ClaimOn): Promise<'live' | 'dead' | 'none'>;
  /** Tells that something may have changed, by whatever process, never how. Returns the function that ends it. */
  watch(listener: (change: Change) => void): () => void;
  /** Ends what the store has under way and lets go of all it holds; what was acknowledged stays. */
  close(): Promise<void>;
}

export interface ClaimOptions {
  /** What the process calls itself. */
  readonly by?: string | undefined;
  /**
   * Waits so long for a holder in another process, and for those of this one in the order in which they came. Then it is a
   * LOCK_TIMEOUT instead of a CONFLICT.
   */
  readonly waitMs?: number | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A holder that stands still for long may be taken for dead, and another have its claim. Looking at the claim before a
 * write does not help, for the holder may stand still in between: the write itself carries the claim, and is refused.
 */
export interface Claim {
  /** Tells this claim from every other, also from a later one on the same. */
  readonly token: string;
  /** Aborts, with a CONFLICT, when the store finds that another has the claim. */
  readonly lost: AbortSignal;
  /** Once is enough; again does no harm. */
  release(): Promise<void>;
}

export interface ActiveClarification {
  readonly issueNumber: number;
  readonly record: ClarificationRecord;
}

export interface LedgerStore {
  /** An issue without a ledger has an empty one. */
  read(issueNumber: number): Promise<ClarificationLedger>;
  update<R>(issueNumber: number, update: Update<ClarificationLedger, R>): Promise<R>;
  /** Every record that still waits for somebody, by issue number; its cost follows what is active. */
  listActive(): Promise<Listing<ActiveClarification>>;
  /** Every ledger that holds a record, by issue number, of issues that are known here or not. */
  list(): Promise<Listing<ClarificationLedger>>;
}

export interface StatusStore {
  read(): Promise<AgentStatusFile>;
  update<R>(update: Update<AgentStatusFile, R>): Promise<R>;
}

export interface QuestionStore {
  /** The question as stored: the one that was there before if its id is taken, so that a derived id asks once. */
  create(question: Question): Promise<Question>;
  read(id: string): Promise<Question | undefined>;
  /** NOT_FOUND if there is no such question. */
  update<R>(id: string, update: Update<Question, R>): Promise<R>;
  /** Oldest first; its cost follows what is open, not the history. */
  listOpen(): Promise<Listing<Question>>;
  /** The same, but only what a list shows of each: with thousands of them, a fraction of the cost. */
  listPending(): Promise<Listing<QuestionSummary>>;
  /** Those that changed in a way from which something follows that may not be done yet; oldest first. */
  listUnsettled(): Promise<Listing<Question>>;
  /** The ids that begin so, in upper or lower case, sorted; opens none of them. */
  idsFrom(start: string): Promise<readonly string[]>;
  /** Those of one issue, oldest first, the ended ones too. */
  listOfIssue(issueNumber: number): Promise<Listing<Question>>;
  list(): Promise<Listing<Question>>;
}

export interface AssumptionStore {
  read(issueNumber: number): Promise<AssumptionFile>;
  update<R>(issueNumber: number, update: Update<AssumptionFile, R>): Promise<R>;
  list(): Promise<Listing<Assumption>>;
}

export interface IssueStore {
  /** The store, or what stands behind it, gives the number. Numbers are never reused, even if the issue is deleted. */
  create(draft: Omit<Issue, 'number'>): Promise<Issue>;
  read(number: number): Promise<Issue | undefined>;
  /** NOT_FOUND if there is no such issue. */
  update<R>(number: number, update: Update<Issue, R>): Promise<R>;
  /** By number; every issue is opened. */
  list(): Promise<Listing<Issue>>;
  /** What is open and not done, by number, without opening what has not changed since it was last listed. */
  listUnfinished(): Promise<Listing<IssueSummary>>;
}

export interface RunStore {
  /** The latest run of an issue. */
  read(issueNumber: number): Promise<Run | undefined>;
  /** With a claim: CONFLICT, and nothing is written, where another has it by the time of the write. */
  update<R>(issueNumber: number, update: Update<Run, R, Run | undefined>, claim?: Claim): Promise<R>;
  list(): Promise<Listing<Run>>;
  /** Those that have not ended, by issue number, of these issues or of all, and whether a live process carries each on. */
  listUnfinished(issueNumbers?: ReadonlySet<number>): Promise<Listing<UnfinishedRun>>;
}

export interface UnfinishedRun {
  readonly run: Run;
  readonly isCarried: boolean;
}

/** What agents were told and said, one document per session. */
export interface SessionStore {
  read(id: string): Promise<Session | undefined>;
  update<R>(id: string, update: Update<Session, R, Session | undefined>, claim?: Claim): Promise<R>;
  /** Oldest first; those of one issue where it is named. */
  list(issueNumber?: number): Promise<Listing<Session>>;
}

/** What runners keep of their conversations, one document per session or round. */
export interface TranscriptStore {
  read(id: string): Promise<Transcript | undefined>;
  update<R>(id: string, update: Update<Transcript, R, Transcript | undefined>, claim?: Claim): Promise<R>;
}

/** Who has asked what while planning; one document for the project. */
export interface OrchestratorStore {
  read(): Promise<OrchestratorState>;
  update<R>(update: Update<OrchestratorState, R>): Promise<R>;
}

/** A log that only grows. */
export interface InteractionStore {
  /** One whose `id` is there already is not written again. */
  append(interaction: Interaction): Promise<void>;
  /** As they were written, oldest first. */
  list(): Promise<Listing<Interaction>>;
}

/** What an agent that reads files finds in the folder of its task. */
export interface TaskStore {
  readConfig(issueNumber: number): Promise<TaskConfig | undefined>;
  writeConfig(issueNumber: number, config: TaskConfig): Promise<void>;
}
