import type { MemorySearchBody, MemoryStatsBody, TimelineBody } from '../../src/protocol/rest.js';

/** What the memory is searched for. Empty texts narrow nothing. */
export interface MemorySearch {
  readonly query: string;
  readonly category: string;
  readonly agent: string;
  readonly issue: string;
  /** The newest so many days; 0 is all. */
  readonly days: number;
}

export const EVERYTHING: MemorySearch = { query: '', category: '', agent: '', issue: '', days: 0 };

/** What the room shows: the found observations, and one of them in full. */
export interface MemoryRoom {
  readonly stats: MemoryStatsBody;
  /** As it is typed; what was found may still belong to the search before. */
  readonly search: MemorySearch;
  readonly found: MemorySearchBody;
  /** Why the last search found nothing: the server refused it. */
  readonly refusal?: string | undefined;
  readonly around?: TimelineBody | undefined;
}
