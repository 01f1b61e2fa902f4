import type { IObservationStore } from '../../ports/observations.js';
import { ObservationFile } from '../../protocol/observation.js';
import { parseWith } from '../../protocol/parse.js';
import { NO_RECALLS, withRecalls } from '../../protocol/recalls.js';
import { ObservationStore, type Shelf } from '../../search/observation-store.js';
import { SearchIndex } from '../../search/search-index.js';
import type { Claims } from './claims.js';

/** Observations that are forgotten with the process. */
export function inMemoryObservations(claims: Claims, onChange: (issueNumber: number) => void): IObservationStore {
  const files = new Map<string, ObservationFile>();
  let index = new SearchIndex();
  let recalls = NO_RECALLS;
  const keyOf = (shelf: Shelf, issueNumber: number) => `${shelf} ${issueNumber}`;
  const enter = (shelf: Shelf, { issueNumber, observations }: ObservationFile) =>
    index.replace([
      { key: keyOf(shelf, issueNumber), issueNumber, isArchived: shelf === 'archive', print: [], observations },
    ]);
  return new ObservationStore({
    read: async (shelf, issueNumber) => files.get(keyOf(shelf, issueNumber)),
    readSome: async (issueNumber, ids) =>
      files.get(keyOf('live', issueNumber))?.observations.filter(({ id }) => ids.has(id)) ?? [],
    update: async (shelf, issueNumber, update) => {
      const key = keyOf(shelf, issueNumber);
      const current = files.get(key);
      const { next, result } = update(current);
      if (next === current) return result;
      const file = parseWith(ObservationFile, next, 'The file of observations');
      files.set(key, file);
      enter(shelf, file);
      onChange(issueNumber);
      return result;
    },
    hasNone: () => files.size === 0,
    index: async () => ({ index, damaged: [] }),
    recalls: () => recalls.counts,
    countRecalls: async (ids) => {
      recalls = withRecalls(recalls, ids);
    },
    bytes: () => [...files.values()].reduce((sum, file) => sum + JSON.stringify(file).length, 0),
    rebuild: async () => {
      const started = performance.now();
      index = new SearchIndex();
      for (const [key, file] of files) enter(key.startsWith('archive') ? 'archive' : 'live', file);
      return { observations: index.count, issues: files.size, durationMs: performance.now() - started };
    },
    claim: (on, options) => claims.claim(on, options),
  });
}
