import type { Update } from '../ports/documents.js';
import type { FoundObservations, IObservationStore, RebuildResult } from '../ports/observations.js';
import { AgentXError } from '../protocol/errors.js';
import { parseIssueNumber, parseObservationId } from '../protocol/ids.js';
import {
  emptyObservationFile,
  type Observation,
  type ObservationFile,
  type ObservationIndex,
  type StoreStats,
} from '../protocol/observation.js';
import { type CompactionResult, compactObservations, restoreObservations } from '../protocol/observation-compaction.js';
import { byIssue, withObservations, withoutObservation } from '../protocol/observation-file.js';
import { type ObservationFilter, parseFilter, parseLimit } from '../protocol/observation-filter.js';
import { pageOf } from '../protocol/page.js';
import { type RecallCounts, counted as withRecallCount } from '../protocol/recalls.js';
import { storable } from '../protocol/storable.js';
import type { Hit } from './best-hits.js';
import type { EntryFilter, SearchIndex } from './search-index.js';
import { agentOf, CATEGORIES, entryOf, groupOf, type Segment, timestampOf } from './segment.js';
import { suggestion } from './suggestion.js';

/** Where the observations of an issue are: those in use, and their archived originals. */
export type Shelf = 'live' | 'archive';

/** What a store of observations needs to have of its own; everything else is the same for all of them. */
export interface ObservationFiles {
  read(shelf: Shelf, issueNumber: number): Promise<ObservationFile | undefined>;
  /** Those of the ids that are in use. */
  readSome(issueNumber: number, ids: ReadonlySet<string>): Promise<readonly Observation[]>;
  update<R>(
    shelf: Shelf,
    issueNumber: number,
    update: Update<ObservationFile, R, ObservationFile | undefined>,
  ): Promise<R>;
  /** Up to date with every write of this process, and with those that others have finished. */
  index(): Promise<{ readonly index: SearchIndex; readonly damaged: readonly AgentXError[] }>;
  /** How often what was recalled, beyond what observations say themselves. The same object until it changes. */
  recalls(): RecallCounts;
  countRecalls(ids: readonly string[]): Promise<void>;
  bytes(): number;
  rebuild(): Promise<RebuildResult>;
}

/** Members are properties, so that a caller can take some and replace others. */
export class ObservationStore implements IObservationStore {
  constructor(private readonly files: ObservationFiles) {}

  readonly store = async (batch: readonly Observation[]): Promise<void> => {
    const clean = batch.map(storable);
    await Promise.all(
      [...byIssue(clean)].map(([issueNumber, group]) =>
        this.#change('live', issueNumber, (file) => ({ next: withObservations(file, group), result: undefined })),
      ),
    );
  };

  readonly getByIssue = async (issueNumber: number, ids?: ReadonlySet<string>): Promise<readonly Observation[]> => {
    const counts = this.files.recalls();
    const number = parseIssueNumber(issueNumber);
    const observations =
      ids === undefined
        ? ((await this.files.read('live', number))?.observations ?? [])
        : await this.files.readSome(number, ids);
    return observations.map((one) => withRecallCount(one, counts));
  };

  readonly getById = async (id: string): Promise<Observation | null> => {
    const { issueNumber } = parseObservationId(id);
    for (const shelf of SHELVES) {
      const file = await this.files.read(shelf, issueNumber);
      const found = file?.observations.find((one) => one.id === id);
      if (found !== undefined) return withRecallCount(found, this.files.recalls());
    }
    return null;
  };

  readonly update = <R>(issueNumber: number, update: Update<ObservationFile, R>): Promise<R> =>
    this.#change('live', parseIssueNumber(issueNumber), (file) => {
      const { next, result } = update(file);
      return { next: next === file ? file : checked(file, next), result };
    });

  readonly remove = async (id: string): Promise<boolean> => {
    const { issueNumber } = parseObservationId(id);
    const removals = SHELVES.map(async (shelf) => {
      const file = await this.files.read(shelf, issueNumber);
      if (!file?.observations.some((one) => one.id === id)) return false;
      return this.#change(shelf, issueNumber, (current) => {
        const next = withoutObservation(current, id);
        return { next, result: next !== current };
      });
    });
    return (await Promise.all(removals)).includes(true);
  };

  readonly incrementRecallCount = async (id: string): Promise<void> => {
    const { issueNumber } = parseObservationId(id);
    const file = await this.files.read('live', issueNumber);
    if (!file?.observations.some((one) => one.id === id)) throw missing(id);
    await this.files.countRecalls([id]);
  };

  /** The archive comes first: a crash in between leaves originals in both places and loses none. */
  readonly compact = async (issueNumber: number): Promise<CompactionResult> => {
    const present = await this.getByIssue(issueNumber);
    const { originals } = compactObservations(present);
    if (originals.length === 0) return { issueNumber, before: present.length, after: present.length, moved: 0 };
    const ids = new Set(originals.map(({ id }) => id));
    const written = (await this.files.read('live', issueNumber))?.observations.filter(({ id }) => ids.has(id)) ?? [];
    const archived = written.map((one) => ({ ...one, archived: true }));
    await this.#change('archive', issueNumber, (file) => ({
      next: withObservations(file, archived),
      result: undefined,
    }));
    const counts = this.files.recalls();
    return this.#change('live', issueNumber, (file) => {
      const merged = compactObservations(
        file.observations.filter(({ id }) => ids.has(id)).map((one) => withRecallCount(one, counts)),
      );
      const others = file.observations.filter(({ id }) => !ids.has(id));
      const unmerged = file.observations.filter(({ id }) => merged.observations.some((one) => one.id === id));
      const made = merged.observations.filter(({ id }) => !unmerged.some((one) => one.id === id));
      const observations = [...others, ...unmerged, ...made].sort(byTime);
      const result = { issueNumber, before: file.observations.length, after: observations.length, moved: ids.size };
      return { next: { ...file, observations }, result };
    });
  };

  readonly restore = async (issueNumber: number): Promise<CompactionResult> => {
    const originals = (await this.files.read('archive', parseIssueNumber(issueNumber)))?.observations ?? [];
    if (originals.length === 0) {
      const { length } = await this.getByIssue(issueNumber);
      return { issueNumber, before: length, after: length, moved: 0 };
    }
    const result = await this.#change('live', issueNumber, (file) => {
      const observations = restoreObservations(file.observations, originals);
      const counts = { before: file.observations.length, after: observations.length, moved: originals.length };
      return { next: { ...file, observations }, result: { issueNumber, ...counts } };
    });
    const ids = new Set(originals.map(({ id }) => id));
    await this.#change('archive', issueNumber, (file) => {
      const observations = file.observations.filter(({ id }) => !ids.has(id));
      return { next: { ...file, observations }, result: undefined };
    });
    return result;
  };

  readonly find = async (filters: ObservationFilter): Promise<FoundObservations> => {
    const filter = parseFilter(filters);
    const limit = parseLimit(filters.limit);
    const { index, damaged } = await this.files.index();
    if (index.count === 0) return { items: [], total: 0, damaged };
    const counts = this.files.recalls();
    const { query = '' } = filters;
    const itemOf = ({ segment, doc, score }: Hit) => ({
      ...withRecallCount(entryOf(segment, doc), counts),
      score: rounded(score),
    });
    if (query.trim() === '') {
      const found = index.found(filter);
      return { items: found.slice(0, limit).map((one) => itemOf({ ...one, score: 0 })), total: found.length, damaged };
    }
    index.useRecalls(counts);
    const { hits, total } = index.search(query, filter, limit);
    return { items: hits.map(itemOf), total, damaged };
  };

  readonly search = async (query: string, limit?: number): Promise<readonly ObservationIndex[]> =>
    this.searchByFilters({ query, limit });

  readonly searchByFilters = async (filters: ObservationFilter): Promise<readonly ObservationIndex[]> =>
    (await this.find(filters)).items.map(withoutScore);

  readonly didYouMean = async (query: string): Promise<string | undefined> => {
    const { index } = await this.files.index();
    return suggestion(index, query);
  };

  readonly listByAgent = async (agent: string): Promise<readonly ObservationIndex[]> =>
    (await this.#entries({ agent })).entries;

  readonly listByCategory = async (category: string): Promise<readonly ObservationIndex[]> =>
    (await this.#entries({ category })).entries;

  readonly list: IObservationStore['list'] = async ({ after, limit, ...filter } = {}) => {
    const { entries, damaged } = await this.#entries(filter);
    const page = pageOf(entries, { after, limit }, newestFirst);
    return { ...page, damaged: after === undefined ? damaged : [] };
  };

  async #entries(filter: ObservationFilter) {
    const parsed: EntryFilter = parseFilter(filter);
    const { index, damaged } = await this.files.index();
    const counts = this.files.recalls();
    return { entries: index.list(parsed).map((entry) => withRecallCount(entry, counts)), damaged };
  }

  readonly countRecalls = (ids: readonly string[]): Promise<void> => this.files.countRecalls(ids);

  readonly rebuild = (): Promise<RebuildResult> => this.files.rebuild();

  readonly getStats = async (): Promise<StoreStats> => {
    const { index } = await this.files.index();
    const all = index.found({ archived: true });
    const used = all.filter(({ segment, doc }) => segment.archived[doc] !== 1);
    const [newest, oldest] = [used[0], used.at(-1)];
    return {
      totalObservations: used.length,
      totalTokens: used.reduce((sum, { segment, doc }) => sum + (segment.tokens[doc] ?? 0), 0),
      issueCount: new Set(used.map(({ segment, doc }) => groupOf(segment, doc).issueNumber)).size,
      oldestTimestamp: oldest === undefined ? '' : timestampOf(oldest.segment, oldest.doc),
      newestTimestamp: newest === undefined ? '' : timestampOf(newest.segment, newest.doc),
      byCategory: counted(used, ({ category }, doc) => CATEGORIES[category[doc] ?? 0] ?? ''),
      byAgent: counted(used, agentOf),
      archived: all.length - used.length,
      bytes: this.files.bytes(),
    };
  };

  #change<R>(shelf: Shelf, issueNumber: number, update: Update<ObservationFile, R>): Promise<R> {
    return this.files.update(shelf, issueNumber, (current) => {
      const file = current ?? emptyObservationFile(issueNumber);
      const { next, result } = update(file);
      if (next === file && current !== undefined) return { next: file, result };
      return { next: { ...next, updatedAt: new Date().toISOString() }, result };
    });
  }
}

const SHELVES: readonly Shelf[] = ['live', 'archive'];

/** Only text that is new or changed needs to pass the guard. */
function checked(before: ObservationFile, next: ObservationFile): ObservationFile {
  const known = new Map(before.observations.map((one) => [one.id, one]));
  const observations = next.observations.map((one) => (hasSameText(one, known.get(one.id)) ? one : storable(one)));
  const ids = new Set(observations.map(({ id }) => id));
  if (ids.size < observations.length) throw new AgentXError('CONFLICT', 'Two observations would have the same id.');
  return { ...next, observations };
}

function hasSameText(one: Observation, known: Observation | undefined): boolean {
  if (one === known) return true;
  return one.content === known?.content && one.summary === known.summary && one.issueNumber === known.issueNumber;
}

function counted(
  found: readonly { readonly segment: Segment; readonly doc: number }[],
  nameOf: (segment: Segment, doc: number) => string,
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { segment, doc } of found) {
    const name = nameOf(segment, doc);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([, left], [, right]) => right - left));
}

function byTime(left: Observation, right: Observation): number {
  return Date.parse(left.timestamp) - Date.parse(right.timestamp) || (left.id < right.id ? -1 : 1);
}

/** Grows from the newest to the oldest. */
function newestFirst({ timestamp, id }: { readonly timestamp: string; readonly id: string }): string {
  return `${String(LATEST_MS - Date.parse(timestamp)).padStart(17, '0')} ${id}`;
}

const LATEST_MS = 8_640_000_000_000_000;

function withoutScore<T extends { readonly score: number }>({ score: _score, ...entry }: T): Omit<T, 'score'> {
  return entry;
}

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;

function missing(id: string): AgentXError {
  return new AgentXError('NOT_FOUND', `There is no observation ${id}.`, { what: `observation ${id}` });
}
