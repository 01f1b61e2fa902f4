import type { AgentStatusFile } from '../protocol/agent-status.js';
import type { Assumption, AssumptionFile, AssumptionFilter } from '../protocol/assumption.js';
import type { ClaimOn } from '../protocol/claim.js';
import type { ClarificationLedger, ClarificationRecord } from '../protocol/clarification.js';
import type { Deliveries } from '../protocol/delivery.js';
import type { Issue, IssueSummary } from '../protocol/issue.js';
import type { Interaction, InteractionFilter, OrchestratorState, TaskConfig } from '../protocol/orchestrator.js';
import type { Paging } from '../protocol/page.js';
import type { Question } from '../protocol/question.js';
import type { QuestionFilter } from '../protocol/question-filter.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import type { Run } from '../protocol/run.js';
import type { Session } from '../protocol/session.js';
import type { Transcript } from '../protocol/transcript.js';
import type { Change, ChangedDocument } from './changes.js';
import type { Clock } from './clock.js';
import type { CountedPage, Page, Update } from './documents.js';
import type { IObservationStore } from './observations.js';

export type { CountedPage, Listing, Page, Update } from './documents.js';

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
  readonly observations: IObservationStore;
  readonly deliveries: DeliveryStore;
  /**
   * The right to do something alone, in all processes. CONFLICT while a live process, this one included, has it, with
   * `by`, `pid`, `host` and `since` of that process; the right of a process that died is free at once.
   */
  claim(on: ClaimOn, options?: ClaimOptions): Promise<Claim>;
  /** Who has the right: a live process, one that died while it had it, or none. */
  heldBy(on: ClaimOn): Promise<'live' | 'dead' | 'none'>;
  /**
   * Calls back when something may have changed, by any process, without saying how; with `only`, for that document. A store
   * that may have missed something tells of everything. Returns the function that ends it.
   */
  watch(listener: (change: Change) => void, only?: ChangedDocument): () => void;
  /** The clock by which all processes judge deadlines and order, where the store has one of its own. */
  readonly clock?: Clock;
  /** Ends the work of the store and releases everything it holds; what was acknowledged stays. */
  close(): Promise<void>;
}

export interface ClaimOptions {
  /** The name of the process. */
  readonly by?: string | undefined;
  /**
   * Waits so long for a holder in another process, and for those of this one in their order. Then it is a LOCK_TIMEOUT
   * instead of a CONFLICT.
   */
  readonly waitMs?: number | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A holder that stands still for long may be taken for dead, and another process may get its claim. Checking the claim
 * before a write does not help, because the holder may stand still in between: the write itself carries the claim, and
 * is refused.
 */
export interface Claim {
  /** Distinguishes this claim from every other, even from a later one on the same. */
  readonly token: string;
  /** Aborts, with a CONFLICT, when the store finds that another process has the claim. */
  readonly lost: AbortSignal;
  /** Calling it again does no harm. */
  release(): Promise<void>;
}

export interface ClarificationFilter {
  /** Records that still wait for an answer, at a cost that follows their number. */
  readonly active?: true;
  /** The same, and those from whose end something follows that is not done yet. */
  readonly unfinished?: true;
}

export interface ListedClarification {
  readonly issueNumber: number;
  readonly record: ClarificationRecord;
}

export interface LedgerStore {
  /** An issue without a ledger has an empty one. */
  read(issueNumber: number): Promise<ClarificationLedger>;
  update<R>(issueNumber: number, update: Update<ClarificationLedger, R>): Promise<R>;
  /** Records by issue and number, even if the issue itself is not known here. */
  list(filter?: ClarificationFilter & Paging): Promise<Page<ListedClarification>>;
}

/** What each agent is at, by its name. */
export interface StatusStore {
  /** Of all agents, for the board. */
  read(): Promise<AgentStatusFile>;
  /** Changes the entries of these agents, in one write. Those of others are neither given nor changed; none is removed. */
  update<R>(agents: readonly string[], update: Update<AgentStatusFile, R>): Promise<R>;
}

export type QuestionPage = CountedPage<Question>;

/** Oldest first. Open or unsettled questions are listed at a cost that follows their number, not the history. */
export interface QuestionStore {
  /** The stored question: this very object if it is new, the earlier one if its id is taken. So a derived id asks once. */
  create(question: Question): Promise<Question>;
  read(id: string): Promise<Question | undefined>;
  /** NOT_FOUND if there is no such question. */
  update<R>(id: string, update: Update<Question, R>): Promise<R>;
  list(filter?: QuestionFilter & Paging): Promise<QuestionPage>;
  /** Only what a list shows of each: with thousands of them, a fraction of the cost. */
  summaries(filter?: QuestionFilter & Paging): Promise<Page<QuestionSummary>>;
  /** Only their ids, sorted. */
  ids(filter?: QuestionFilter): Promise<readonly string[]>;
}

export interface AssumptionStore {
  read(issueNumber: number): Promise<AssumptionFile>;
  update<R>(issueNumber: number, update: Update<AssumptionFile, R>): Promise<R>;
  /** By issue, in the order in which they were made. */
  list(filter?: AssumptionFilter & Paging): Promise<CountedPage<Assumption>>;
}

export interface IssueStore {
  /** The store, or what stands behind it, gives the number. Numbers are never reused, even if the issue is deleted. */
  create(draft: Omit<Issue, 'number'>): Promise<Issue>;
  read(number: number): Promise<Issue | undefined>;
  /** NOT_FOUND if there is no such issue. */
  update<R>(number: number, update: Update<Issue, R>): Promise<R>;
  /** For an issue that got its number elsewhere: it may not be here yet. */
  put<R>(number: number, update: Update<Issue, R, Issue | undefined>): Promise<R>;
  /** By number. */
  list(filter?: { readonly origin?: string } & Paging): Promise<Page<Issue>>;
  /** What the ready queue needs of open issues that are not done, by number; its cost follows their number. */
  summaries(paging?: Paging): Promise<Page<IssueSummary>>;
}

export interface RunStore {
  /** The latest run of an issue. */
  read(issueNumber: number): Promise<Run | undefined>;
  /** With a claim: CONFLICT, and nothing is written, if another process has it by the time of the write. */
  update<R>(issueNumber: number, update: Update<Run, R, Run | undefined>, claim?: Claim): Promise<R>;
  /** By issue. */
  list(filter?: RunFilter & Paging): Promise<Page<ListedRun>>;
}

export interface RunFilter {
  /** Whether they have ended. */
  readonly finished?: boolean;
  readonly issues?: ReadonlySet<number> | undefined;
}

export interface ListedRun {
  readonly run: Run;
  /** Whether a live process carries it on. */
  readonly isCarried: boolean;
}

/** What agents were told and said, one document per session. */
export interface SessionStore {
  read(id: string): Promise<Session | undefined>;
  update<R>(id: string, update: Update<Session, R, Session | undefined>, claim?: Claim): Promise<R>;
  /** Oldest first. */
  list(filter?: { readonly issue?: number | undefined } & Paging): Promise<Page<Session>>;
}

/** What runners keep of their conversations, one document per session or round. */
export interface TranscriptStore {
  read(id: string): Promise<Transcript | undefined>;
  update<R>(id: string, update: Update<Transcript, R, Transcript | undefined>, claim?: Claim): Promise<R>;
}

/** Which session has asked what while planning; one document for the project. */
export interface OrchestratorStore {
  read(): Promise<OrchestratorState>;
  update<R>(update: Update<OrchestratorState, R>): Promise<R>;
}

/** What people were told through channels, and what is on its way to them; one document for the project. */
export interface DeliveryStore {
  read(): Promise<Deliveries>;
  update<R>(update: Update<Deliveries, R>): Promise<R>;
}

/** A log that only grows. */
export interface InteractionStore {
  /** An entry whose `id` is there already is not written again. */
  append(interaction: Interaction): Promise<void>;
  /** As they were written, oldest first. */
  list(filter?: InteractionFilter & Paging): Promise<Page<Interaction>>;
}

/** What an agent that reads files finds in the folder of its task. */
export interface TaskStore {
  readConfig(issueNumber: number): Promise<TaskConfig | undefined>;
  writeConfig(issueNumber: number, config: TaskConfig): Promise<void>;
}
