import type { Update } from '../ports/documents.js';
import type { FoundObservations, IObservationStore, RebuildResult } from '../ports/observations.js';
import type { Store } from '../ports/store.js';
import { underClaim } from '../protocol/claim.js';
import { AgentXError } from '../protocol/errors.js';
import { parseIssueNumber, parseObservationId } from '../protocol/ids.js';
import { MAX_LOCK_WAIT_MS } from '../protocol/limits.js';
import {
  emptyObservationFile,
  type Observation,
  type ObservationFile,
  type ObservationIndex,
  type StoreStats,
} from '../protocol/observation.js';
import {
  type CompactionResult,
  compactObservations,
  mergedWithout,
  restoreObservations,
} from '../protocol/observation-compaction.js';
import { byIssue, withObservations, withoutObservation } from '../protocol/observation-file.js';
import { type ObservationFilter, parseFilter, parseLimit } from '../protocol/observation-filter.js';
import { pageOf } from '../protocol/page.js';
import { type RecallCounts, counted as withRecallCount } from '../protocol/recalls.js';
import { storable } from '../protocol/storable.js';
import type { Hit } from './best-hits.js';
import type { EntryFilter, SearchIndex } from './search-index.js';
import { agentOf, CATEGORIES, entryOf, groupOf, idOf, type Segment, timestampOf } from './segment.js';
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
  /** Whether nothing was ever remembered, at the cost of a glance. */
  hasNone(): boolean;
  /** Up to date with every write of this process, and with those that others have finished. */
  index(): Promise<{ readonly index: SearchIndex; readonly damaged: readonly AgentXError[] }>;
  /** How often what was recalled, beyond what observations say themselves. The same object until it changes. */
  recalls(): RecallCounts;
  countRecalls(ids: readonly string[]): Promise<void>;
  bytes(): number;
  rebuild(): Promise<RebuildResult>;
  claim: Store['claim'];
}

/** Members are properties, so that a caller can take some and replace others. */
export class ObservationStore implements IObservationStore {
  constructor(private readonly files: ObservationFiles) {}

  readonly store = async (batch: readonly Observation[]): Promise<void> => {
    const cleanBatch = batch.map(storable);
    await Promise.all(
      [...byIssue(cleanBatch)].map(([issueNumber, group]) =>
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
    // What is brought back meanwhile is in use before it leaves the archive.
    for (const shelf of [...SHELVES, 'live'] as const) {
      const file = await this.files.read(shelf, issueNumber);
      const observation = file?.observations.find((one) => one.id === id);
      if (observation !== undefined) return withRecallCount(observation, this.files.recalls());
    }
    return null;
  };

  readonly update = <R>(issueNumber: number, update: Update<ObservationFile, R>): Promise<R> =>
    this.#change('live', parseIssueNumber(issueNumber), (file) => {
      const { next, result } = update(file);
      return { next: next === file ? file : checked(file, next), result };
    });

  /**
   * A merged one goes with its originals. An original goes out of what was merged of it, too. The shelf that has the id goes
   * last: after a crash in between, it is still found.
   */
  readonly remove = async (id: string): Promise<boolean> => {
    const { issueNumber } = parseObservationId(id);
    return (await this.getById(id)) !== null && this.#alone(issueNumber, () => this.#remove(id, issueNumber));
  };

  async #remove(id: string, issueNumber: number): Promise<boolean> {
    const [live = [], archived = []] = await Promise.all(
      SHELVES.map(async (shelf) => (await this.files.read(shelf, issueNumber))?.observations),
    );
    const isLive = live.some((one) => one.id === id);
    if (!isLive && !archived.some((one) => one.id === id)) return false;
    const originals = live.find((one) => one.id === id)?.mergedFrom ?? [];
    const fromLive = async () =>
      live.length > 0 &&
      (await this.#change('live', issueNumber, (file) => {
        const next = withoutObservation(mergedWithout(file, id, archived), id);
        return { next, result: file.observations.some((one) => one.id === id) };
      }));
    const fromArchive = async () =>
      archived.length > 0 &&
      (await this.#change('archive', issueNumber, (file) => {
        const next = [...originals, id].reduce(withoutObservation, file);
        return { next, result: file.observations.some((one) => one.id === id) };
      }));
    const removals = isLive ? [fromArchive, fromLive] : [fromLive, fromArchive];
    const results: boolean[] = [];
    for (const removal of removals) results.push(await removal());
    return results.includes(true);
  }

  readonly incrementRecallCount = async (id: string): Promise<void> => {
    const { issueNumber } = parseObservationId(id);
    const file = await this.files.read('live', issueNumber);
    if (!file?.observations.some((one) => one.id === id)) throw missing(id);
    await this.files.countRecalls([id]);
  };

  /**
   * The archive comes first: a crash in between leaves originals in both places and loses none. An original that says
   * something else than the archive, because it was changed since, is not merged.
   */
  readonly compact = async (issueNumber: number): Promise<CompactionResult> => {
    const liveObservations = await this.getByIssue(issueNumber);
    const ids = new Set(compactObservations(liveObservations).originals.map(({ id }) => id));
    const { length } = liveObservations;
    if (ids.size === 0) return { issueNumber, before: length, after: length, moved: 0 };
    return this.#alone(issueNumber, () => this.#compact(issueNumber, ids));
  };

  async #compact(issueNumber: number, ids: ReadonlySet<string>): Promise<CompactionResult> {
    const originals = (await this.files.read('live', issueNumber))?.observations.filter(({ id }) => ids.has(id)) ?? [];
    const archivedTexts = await this.#change('archive', issueNumber, (file) => {
      const contentsById = new Map(file.observations.map(({ id, content }) => [id, content]));
      const newlyArchived = originals
        .filter(({ id, content }) => (contentsById.get(id) ?? content) === content)
        .map((one) => ({ ...one, archived: true }));
      const newIds = new Set(newlyArchived.map(({ id }) => id));
      // A crash may have left an original in both places, and it may have been said again since.
      const observations = [...file.observations.filter(({ id }) => !newIds.has(id)), ...newlyArchived];
      return { next: { ...file, observations }, result: new Map(observations.map((one) => [one.id, one.content])) };
    });
    const counts = this.files.recalls();
    return this.#change('live', issueNumber, (file) => {
      const mergeable = file.observations.filter(({ id, content }) => ids.has(id) && archivedTexts.get(id) === content);
      const compaction = compactObservations(mergeable.map((one) => withRecallCount(one, counts)));
      const movedIds = new Set(compaction.originals.map(({ id }) => id));
      const unmoved = file.observations.filter(({ id }) => !movedIds.has(id));
      const mergedObservations = compaction.observations.filter(({ mergedFrom = [] }) =>
        mergedFrom.some((id) => movedIds.has(id)),
      );
      const observations = [...unmoved, ...mergedObservations].sort(byTime);
      const before = file.observations.length;
      const result = { issueNumber, before, after: observations.length, moved: movedIds.size };
      return { next: movedIds.size === 0 ? file : { ...file, observations }, result };
    });
  }

  readonly restore = async (issueNumber: number): Promise<CompactionResult> => {
    const archive = await this.files.read('archive', parseIssueNumber(issueNumber));
    if (archive !== undefined && archive.observations.length > 0) {
      return this.#alone(issueNumber, () => this.#restore(issueNumber));
    }
    const { length } = await this.getByIssue(issueNumber);
    return { issueNumber, before: length, after: length, moved: 0 };
  };

  async #restore(issueNumber: number): Promise<CompactionResult> {
    const originals = (await this.files.read('archive', issueNumber))?.observations ?? [];
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
  }

  readonly find = async (filters: ObservationFilter): Promise<FoundObservations> => {
    const filter = parseFilter(filters);
    const limit = parseLimit(filters.limit);
    if (this.files.hasNone()) return { items: [], total: 0, damaged: [] };
    const { index, damaged } = await this.files.index();
    if (index.count === 0) return { items: [], total: 0, damaged };
    const counts = this.files.recalls();
    const { query = '' } = filters;
    const itemOf = ({ segment, doc, score }: Hit) => ({
      ...withRecallCount(entryOf(segment, doc), counts),
      score: roundScore(score),
    });
    if (query.trim() === '') {
      const entries = index.entries(filter);
      return {
        items: entries.slice(0, limit).map((one) => itemOf({ ...one, score: 0 })),
        total: entries.length,
        damaged,
      };
    }
    index.useRecalls(counts);
    const { hits, total } = index.search(query, filter, limit);
    // What stands beside a match is found too, and may be wanted where the match is not.
    return { items: hits.map(itemOf), total: Math.max(total, hits.length), damaged };
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
    (await this.list({ agent })).items;

  readonly listByCategory = async (category: string): Promise<readonly ObservationIndex[]> =>
    (await this.list({ category })).items;

  /** Only what stands on the page is made into entries. */
  readonly list: IObservationStore['list'] = async ({ after, limit, ...filter } = {}) => {
    const parsed: EntryFilter = parseFilter(filter);
    const { index, damaged } = await this.files.index();
    const counts = this.files.recalls();
    const { items, ...page } = pageOf(index.entries(parsed), { after, limit }, positionOf);
    const entries = items.map(({ segment, doc }) => withRecallCount(entryOf(segment, doc), counts));
    return { ...page, items: entries, damaged: after === undefined ? damaged : [] };
  };

  readonly countRecalls = (ids: readonly string[]): Promise<void> => this.files.countRecalls(ids);

  readonly rebuild = (): Promise<RebuildResult> => this.files.rebuild();

  readonly getStats = async (): Promise<StoreStats> => {
    const { index } = await this.files.index();
    const all = index.entries({ archived: true });
    const live = all.filter(({ segment, doc }) => segment.archived[doc] !== 1);
    const [newest, oldest] = [live[0], live.at(-1)];
    return {
      totalObservations: live.length,
      totalTokens: live.reduce((sum, { segment, doc }) => sum + (segment.tokens[doc] ?? 0), 0),
      issueCount: new Set(live.map(({ segment, doc }) => groupOf(segment, doc).issueNumber)).size,
      oldestTimestamp: oldest === undefined ? '' : timestampOf(oldest.segment, oldest.doc),
      newestTimestamp: newest === undefined ? '' : timestampOf(newest.segment, newest.doc),
      byCategory: counted(live, ({ category }, doc) => CATEGORIES[category[doc] ?? 0] ?? ''),
      byAgent: counted(live, agentOf),
      archived: all.length - live.length,
      bytes: this.files.bytes(),
    };
  };

  /** What reads one shelf and then changes both keeps others of its kind away meanwhile. */
  #alone<R>(issueNumber: number, work: () => Promise<R>): Promise<R> {
    return underClaim(this.files.claim({ archiving: issueNumber }, { waitMs: MAX_LOCK_WAIT_MS }), work);
  }

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
  const observationsById = new Map(before.observations.map((one) => [one.id, one]));
  const observations = next.observations.map((one) =>
    hasSameText(one, observationsById.get(one.id)) ? one : storable(one),
  );
  const ids = new Set(observations.map(({ id }) => id));
  if (ids.size < observations.length) throw new AgentXError('CONFLICT', 'Two observations would have the same id.');
  return { ...next, observations };
}

function hasSameText(one: Observation, observationBefore: Observation | undefined): boolean {
  if (one === observationBefore) return true;
  return (
    one.content === observationBefore?.content &&
    one.summary === observationBefore.summary &&
    one.issueNumber === observationBefore.issueNumber
  );
}

function counted(
  entries: readonly { readonly segment: Segment; readonly doc: number }[],
  nameOf: (segment: Segment, doc: number) => string,
): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { segment, doc } of entries) {
    const name = nameOf(segment, doc);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([, left], [, right]) => right - left));
}

function byTime(left: Observation, right: Observation): number {
  return Date.parse(left.timestamp) - Date.parse(right.timestamp) || (left.id < right.id ? -1 : 1);
}

/** Grows from the newest to the oldest. */
function positionOf({ segment, doc }: Omit<Hit, 'score'>): string {
  return `${String(LATEST_MS - (segment.at[doc] ?? 0)).padStart(17, '0')} ${idOf(segment, doc)}`;
}

const LATEST_MS = 8_640_000_000_000_000;

function withoutScore<T extends { readonly score: number }>({ score: _score, ...entry }: T): Omit<T, 'score'> {
  return entry;
}

const roundScore = (score: number): number => Math.round(score * 10_000) / 10_000;

function missing(id: string): AgentXError {
  return new AgentXError('NOT_FOUND', `There is no observation ${id}.`, { what: `observation ${id}` });
}
