import Database from 'better-sqlite3';
import { Index } from 'flexsearch';
import MiniSearch from 'minisearch';
import type { Observation } from '../../src/protocol/observation.js';
import { byIssue } from '../../src/protocol/observation-file.js';
import { parseFilter } from '../../src/protocol/observation-filter.js';
import { SearchIndex } from '../../src/search/search-index.js';
import { idOf } from '../../src/search/segment.js';
import { wordsOf } from '../../src/search/words.js';

export interface Contender {
  readonly name: string;
  /** The ids of the best, best first. */
  search(query: string, limit: number): readonly string[];
}

/** As a store asks its index for a user who filters nothing. */
export function ours(index: SearchIndex): Contender {
  const filter = parseFilter({});
  return {
    name: 'AgentX',
    search: (query, limit) => index.search(query, filter, limit).hits.map(({ segment, doc }) => idOf(segment, doc)),
  };
}

export function indexOf(observations: readonly Observation[]): SearchIndex {
  const index = new SearchIndex();
  index.replace(
    [...byIssue(observations)].map(([issueNumber, group]) => ({
      key: `issue-${issueNumber}.json`,
      issueNumber,
      isArchived: false,
      print: [1],
      observations: group,
    })),
  );
  return index;
}

/** Porter stems and BM25, in memory; without the words that every text has, which it would go through for nothing. */
export function fts5(observations: readonly Observation[]): Contender {
  const db = new Database(':memory:');
  db.exec("create virtual table notes using fts5(id unindexed, text, tokenize = 'porter unicode61')");
  const insert = db.prepare('insert into notes values (?, ?)');
  db.transaction(() => {
    for (const { id, content } of observations) insert.run(id, content);
  }).immediate();
  const select = db.prepare('select id from notes where notes match ? order by bm25(notes) limit ?');
  return {
    name: 'better-sqlite3 FTS5',
    search: (query, limit) => {
      const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu))].filter(
        (word) => wordsOf(word).length > 0,
      );
      const expression = words.map((word) => `"${word}"`).join(' OR ');
      return select.all(expression, limit).map((row) => String((row as { id: unknown }).id));
    },
  };
}

export function miniSearch(observations: readonly Observation[]): Contender {
  const mini = new MiniSearch<Observation>({ fields: ['content'], idField: 'id' });
  mini.addAll([...observations]);
  return {
    name: 'MiniSearch',
    search: (query, limit) =>
      mini
        .search(query)
        .slice(0, limit)
        .map(({ id }) => String(id)),
  };
}

export function flexSearch(observations: readonly Observation[]): Contender {
  const flex = new Index({ tokenize: 'strict' });
  for (const [number, { content }] of observations.entries()) flex.add(number, content);
  return {
    name: 'FlexSearch',
    search: (query, limit) =>
      flex.search(query, { limit, suggest: true }).map((number) => observations[Number(number)]?.id ?? ''),
  };
}

/** As the specification describes it: count the words of the query in every summary. */
export function scan(observations: readonly Observation[]): Contender {
  return {
    name: "the seed's scan",
    search: (query, limit) => {
      const words = query.toLowerCase().split(/\s+/);
      return observations
        .map(({ id, summary }) => {
          const text = summary.toLowerCase();
          return { id, score: words.filter((word) => text.includes(word)).length };
        })
        .filter(({ score }) => score > 0)
        .sort((left, right) => right.score - left.score)
        .slice(0, limit)
        .map(({ id }) => id);
    },
  };
}
