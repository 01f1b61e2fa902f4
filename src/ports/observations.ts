import type { AgentXError } from '../protocol/errors.js';
import type { Observation, ObservationFile, ObservationIndex, StoreStats } from '../protocol/observation.js';
import type { CompactionResult } from '../protocol/observation-compaction.js';
import type { ObservationFilter } from '../protocol/observation-filter.js';
import type { Paging } from '../protocol/page.js';
import type { Listing, Page, Update } from './documents.js';

/** An entry that a search found. Scores of one search can be compared with each other and with nothing else. */
export type ScoredObservation = ObservationIndex & { readonly score: number };

export interface FoundObservations extends Listing<ScoredObservation> {
  /** How many match, shown or not. */
  readonly total: number;
}

export interface RebuildResult {
  readonly observations: number;
  readonly issues: number;
  readonly durationMs: number;
}

/**
 * What was remembered. Every write passes the same guard: secrets and private text are taken out, and a content is cut at
 * its limit, before anything reaches a disk. Archived observations are left out unless a filter asks for them.
 */
export interface IObservationStore {
  /**
   * Keeps a batch. An observation that is there already stays as it is; INVALID_INPUT if its id is of another issue,
   * CONFLICT if another one has its id.
   */
  store(observations: readonly Observation[]): Promise<void>;
  /** All of an issue that are not in the archive, or those of the ids, in the order in which they were stored. */
  getByIssue(issueNumber: number, ids?: ReadonlySet<string>): Promise<readonly Observation[]>;
  /** Whole, from the archive too; null if there is none. INVALID_INPUT for what is no id. */
  getById(id: string): Promise<Observation | null>;
  /** Best match first; 20 without a limit. */
  search(query: string, limit?: number): Promise<readonly ObservationIndex[]>;
  /** Newest first. */
  listByAgent(agent: string): Promise<readonly ObservationIndex[]>;
  /** Newest first. */
  listByCategory(category: string): Promise<readonly ObservationIndex[]>;
  /** Whether it was there. */
  remove(id: string): Promise<boolean>;
  getStats(): Promise<StoreStats>;
  /** Best match first if there is a query, otherwise newest first. */
  searchByFilters(filters: ObservationFilter): Promise<readonly ObservationIndex[]>;
  /** NOT_FOUND if there is none. */
  incrementRecallCount(id: string): Promise<void>;
  /** Each of these was recalled once more. One write, which is not waited for until it is on the disk. */
  countRecalls(ids: readonly string[]): Promise<void>;
  /** Merges related observations into few, and moves the originals to the archive. */
  compact(issueNumber: number): Promise<CompactionResult>;
  /** Brings the originals back from the archive, in the place of what they were merged into. */
  restore(issueNumber: number): Promise<CompactionResult>;
  /** The same as `searchByFilters`, with scores and with what a person wants to know beside them. */
  find(filters: ObservationFilter): Promise<FoundObservations>;
  /** The query as it was probably meant, if it has words that no observation has. It takes as long as the search. */
  didYouMean(query: string): Promise<string | undefined>;
  /** Newest first, in pages. */
  list(filter?: Omit<ObservationFilter, 'query' | 'limit'> & Paging): Promise<Page<ObservationIndex>>;
  /** What it is given counts only the recalls that the observations came with. */
  update<R>(issueNumber: number, update: Update<ObservationFile, R>): Promise<R>;
  /** Makes everything anew that is derived. */
  rebuild(): Promise<RebuildResult>;
}

/** What happens in a store that a person who examines it wants to know. */
export type MemoryNotice =
  | { readonly kind: 'rebuilt'; readonly cause: string; readonly durationMs: number; readonly observations: number }
  | { readonly kind: 'skipped'; readonly error: AgentXError };
