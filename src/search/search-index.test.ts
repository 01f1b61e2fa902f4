import { describe, expect, it } from 'vitest';
import { anObservation } from '../../test/builders/observation.js';
import type { Observation } from '../protocol/observation.js';
import { SearchIndex } from './search-index.js';
import { entryOf } from './segment.js';
import { decodeIndex, encodeIndex, parseManifest } from './stored-index.js';
import { suggestion } from './suggestion.js';
import { readQuery, wordsOf } from './words.js';

const observation = (number: number, content: string, fields: Partial<Observation> = {}): Observation =>
  anObservation({
    id: `obs-engineer-${fields.issueNumber ?? 42}-1772100000000-${String(number).padStart(6, '0')}`,
    content,
    summary: content.slice(0, 60),
    sessionId: `s${number}`,
    ...fields,
  });

const groupOf = (issueNumber: number, observations: readonly Observation[]) => ({
  key: `issue-${issueNumber}.json`,
  issueNumber,
  isArchived: false,
  print: [issueNumber, 2, 3.5, 4.25],
  observations,
});

const indexOf = (...contents: readonly string[]) => {
  const index = new SearchIndex();
  index.replace([
    groupOf(
      42,
      contents.map((content, number) => observation(number, content)),
    ),
  ]);
  return index;
};

const found = (index: SearchIndex, query: string, limit = 10) =>
  index.search(query, {}, limit).hits.map(({ segment, doc }) => entryOf(segment, doc).summary);

describe('words', () => {
  it('are lower case, stems, and no stop words [ME-1/20]', () => {
    expect(wordsOf('The Retries were FAILING in the queues')).toEqual(
      ['retri', 'fail', 'queue'].map((word) => wordsOf(word)[0]),
    );
    expect(readQuery('The Retries were FAILING\tin the queues').words).toEqual(wordsOf('retries failing queues'));
    expect(readQuery('what is the').words).toEqual(['what', 'is', 'the']);
  });

  it('have one form where no ending shows it: irregular verbs and plurals, British spelling, small numbers', () => {
    for (const [one, other] of [
      ['chose', 'choosing'],
      ['we went', 'going'],
      ['children', 'child'],
      ['a decision', 'deciding'],
      ['failures', 'failed'],
      ['normalised colours', 'normalize color'],
      ['five', '5'],
      ['notified of payments', 'notification paid'],
      ['nightly', 'overnight'],
      ['the largest', 'large'],
    ])
      expect(wordsOf(one ?? '')).toEqual(wordsOf(other ?? ''));
    expect(wordsOf("It's Mei's, we don't")).toEqual(['mei']);
  });

  it('of time and place carry something', () => {
    expect(wordsOf('before the deploy')).not.toEqual(wordsOf('after the deploy'));
  });

  it('of names in code are found whole and by their parts', () => {
    expect(wordsOf('FileLockManager')).toEqual(expect.arrayContaining(['file', 'lock', 'manag']));
    expect(wordsOf('retry_seconds in src/auth/token.ts')).toEqual(
      expect.arrayContaining(['retri', 'second', 'auth', 'token']),
    );
  });

  it('of German are found in another form, in a compound and by its parts, with and without umlauts', () => {
    const notes = [
      'Die Gerätekennung wird beim Löschen der Werkstatt nicht entfernt.',
      'Ein Bohrplan braucht die Freigabe durch den Meister.',
      'Der Drehzahlverlauf steht im Prüfprotokoll und wird gezeichnet.',
      'Die Halle ist nach acht Uhr geschlossen.',
    ];
    const index = indexOf(...notes, 'The server serves tests and a die was cast in the hall.');
    const first = (query: string) => found(index, query)[0];
    const summary = (place: number) => notes[place]?.slice(0, 60);
    expect(first('Wo steht die Kennung eines Gerätes?')).toBe(summary(0));
    expect(first('werkstatt geloescht')).toBe(summary(0));
    expect(first('Wer muss Bohrpläne freigeben?')).toBe(summary(1));
    expect(first('In welchem Protokoll sind Drehzahlen?')).toBe(summary(2));
    expect(first('schließen wir die Hallen')).toBe(summary(3));
    expect(first('where was the die cast')).toMatch(/^The server/);
  });

  it('of an English query find no German note by chance', () => {
    const index = indexOf('Die Rechner werden nur nachts gewartet, und der Tester hat frei.');
    expect(found(index, 'how do we wart the tests')).toEqual([]);
  });

  it('of scripts without spaces are pairs of characters', () => {
    expect(wordsOf('数据库迁移')).toEqual(['数据', '据库', '库迁', '迁移']);
  });
});

describe('words with accents', () => {
  const composed = 'Der Schlüssel für Müller läuft ab';

  it('are found however a system writes the accent', () => {
    expect(found(indexOf(composed.normalize('NFD')), 'müller schlüssel')).toHaveLength(1);
    expect(found(indexOf(composed), 'müller'.normalize('NFD'))).toHaveLength(1);
    expect(found(indexOf(composed.normalize('NFD')), 'Welche Schlüssel laufen nicht ab?')).toHaveLength(1);
  });

  it('are whole words where vowels are marks', () => {
    expect(wordsOf('हिन्दी की')).toEqual(['हिन्दी', 'की']);
  });

  it('may be longer than what is kept of a word, and have letters of two units', () => {
    const long = `x${'\u{1D400}'.repeat(30)}`;
    expect(found(indexOf(`The key ${long}`), long)).toHaveLength(1);
  });
});

describe('a suggestion', () => {
  it('is made for words that begin with any letter', () => {
    const index = indexOf('Die Übersicht der Verträge', 'Файл настройки сервера');
    expect(suggestion(index, 'Übersciht')).toBe('Übersicht');
    expect(suggestion(index, 'überscht')).toBe('Übersicht');
    expect(suggestion(index, 'настр')).toBe('настройки');
  });

  it('never comes from what was removed or archived', () => {
    const index = new SearchIndex();
    const archived = observation(1, 'The zookeeper ensemble', { issueNumber: 7, archived: true });
    index.replace([groupOf(42, [observation(2, 'A password of Kowalski')]), groupOf(7, [archived])]);
    index.remove('issue-42.json');
    expect(suggestion(index, 'kowalsky')).toBeUndefined();
    expect(suggestion(index, 'kowal')).toBeUndefined();
    expect(suggestion(index, 'zookeper')).toBeUndefined();
  });

  it('is a word as an observation spells it, though the first that has it does not say it in its summary', () => {
    const index = new SearchIndex();
    const [short, long] = ['Logins changed', 'Authentication became slow'];
    index.replace([
      groupOf(42, [
        observation(1, `${short}. Authentication is by key.`, { summary: short }),
        observation(2, long, { summary: long }),
      ]),
    ]);
    expect(suggestion(index, 'authentcation')).toBe('Authentication');
  });

  it('takes no number or key for another, and no short word for one that is unlike it', () => {
    const index = indexOf('Port 8080 of the gateway', 'Commit 4f2a91c broke the token');
    expect(suggestion(index, 'port 8081')).toBeUndefined();
    expect(suggestion(index, '4f2a91d')).toBeUndefined();
    expect(suggestion(index, 'tokyo')).toBeUndefined();
    expect(suggestion(index, 'tokne')).toBe('token');
  });
});

describe('a search', () => {
  it('finds other forms of a word [ME-1/40]', () => {
    expect(found(indexOf('Retrying failed uploads'), 'retry of a failing upload')).toHaveLength(1);
  });

  it('ranks by text; age and recalls only decide between near equals [ME-1/39]', () => {
    const index = new SearchIndex();
    const old = { timestamp: '2020-01-01T00:00:00.000Z' };
    index.replace([
      groupOf(42, [
        observation(1, 'Chose SQLite for the local cache of thumbnails', old),
        observation(2, 'Chose Redis for sessions', { recallCount: 10 }),
        observation(3, 'Chose Redis for sessions'),
        observation(4, 'Chose Redis for sessions', old),
      ]),
    ]);
    const ids = index.search('sqlite cache', {}, 10).hits.map(({ segment, doc }) => entryOf(segment, doc).id.slice(-1));
    expect(ids[0]).toBe('1');
    const redis = index
      .search('redis sessions', {}, 10)
      .hits.map(({ segment, doc }) => entryOf(segment, doc).id.slice(-1));
    expect(redis).toEqual(['2', '3', '4']);
  });

  it('weighs neighbours in a session lightly [ME-1/40]', () => {
    const index = new SearchIndex();
    const [one, other] = [{ sessionId: 'one' }, { sessionId: 'other' }];
    index.replace([
      groupOf(42, [
        observation(1, 'The limit is thirty per minute', one),
        observation(2, 'Billing webhooks are throttled', one),
        observation(3, 'The limit is fifty per minute', other),
        observation(4, 'The header became blue', other),
      ]),
    ]);
    expect(found(index, 'limit for billing webhooks').slice(0, 2)).toEqual([
      'Billing webhooks are throttled',
      'The limit is thirty per minute',
    ]);
    expect(found(index, 'webhooks')).toEqual(['Billing webhooks are throttled']);
  });

  it('finds what is called by another name, behind what has the word itself [ME-1/40]', () => {
    const index = indexOf(
      'The database was moved',
      'The db was moved',
      'Invoices were erased',
      'The header became blue',
    );
    expect(found(index, 'db')).toEqual(['The db was moved', 'The database was moved']);
    expect(found(index, 'delete an invoice')).toEqual(['Invoices were erased']);
  });

  it('takes a loose synonym only for a word that few have', () => {
    const notes = ['The outage took an hour', 'The header became blue'];
    expect(found(indexOf(...notes), 'downtime')).toEqual(['The outage took an hour']);
    const others = Array.from({ length: 4 }, (_, number) => `Downtime ${number} was planned`);
    expect(found(indexOf(...notes, ...others), 'downtime')).toHaveLength(others.length);
  });

  it('finds two words that are written as one', () => {
    expect(found(indexOf('The rollback takes a minute', 'Rolls are fresh'), 'roll back')[0]).toBe(
      'The rollback takes a minute',
    );
  });

  it('finds the parts of a name in code that nothing has whole', () => {
    const index = indexOf('The retry policy of uploads', 'The policy of refunds');
    expect(found(index, 'RetryPolicy')[0]).toBe('The retry policy of uploads');
    expect(index.search('RetryPolicy', {}, 1).hits[0]?.score).toBe(index.search('retry policy', {}, 1).hits[0]?.score);
  });

  it('prefers what the agent of that name said', () => {
    const index = new SearchIndex();
    const [omar, kate] = [{ agent: 'omar' }, { agent: 'kate' }];
    index.replace([
      groupOf(42, [
        observation(1, 'I bought a piano', { ...kate, id: 'obs-kate-42-1772100000000-000001' }),
        observation(2, 'I bought a bike', { ...omar, id: 'obs-omar-42-1772100000000-000002' }),
      ]),
    ]);
    expect(found(index, 'What did Omar buy?')).toEqual(['I bought a bike', 'I bought a piano']);
  });

  it('takes the name of an issue or an agent for a query', () => {
    const index = new SearchIndex();
    index.replace([
      groupOf(42, [observation(1, 'One thing')]),
      groupOf(7, [observation(2, 'Another', { issueNumber: 7 })]),
    ]);
    expect(found(index, '#7')).toEqual(['Another']);
    expect(found(index, 'engineer 7').toSorted()).toEqual(['Another', 'One thing']);
    expect(found(index, 'thing #7').toSorted()).toEqual(['Another', 'One thing']);
  });

  it('survives strange queries', () => {
    const index = indexOf('Use `a+b` [x] (y)');
    for (const query of ['', '   ', '[', '((((', '\\', '*', '??', '#', '@', '__proto__', 'constructor', '\u{1F600}'])
      expect(found(index, query)).toEqual([]);
    expect(found(index, 'x'.repeat(10_000))).toEqual([]);
  });
});

describe('an index', () => {
  it('is the same after it was stored and loaded', () => {
    const index = new SearchIndex();
    index.replace([
      groupOf(42, [
        observation(1, 'Use Redis', { recallCount: 3, timestamp: '2026-02-26T12:00:00+02:00' }),
        observation(2, 'Use Kafka', { id: 'obs-other-42-1772100000000-zzzzzz', archived: true }),
      ]),
      groupOf(7, []),
    ]);
    const { manifest, search } = encodeIndex(index.compacted(), '2026-02-26T10:00:00.000Z');
    const again = new SearchIndex(decodeIndex(parseManifest(Buffer.from(manifest)), search));
    expect(again.list({ archived: true })).toEqual(index.list({ archived: true }));
    expect(again.group('issue-42.json')).toEqual(index.group('issue-42.json'));
    expect(again.keys()).toEqual(index.keys());
    expect(found(again, 'redis')).toEqual(['Use Redis']);
    expect(() => decodeIndex(parseManifest(Buffer.from(manifest)), search.subarray(0, -8))).toThrow();
  });

  it('gives the same results in many segments, and after they were merged', () => {
    const many = new SearchIndex();
    const all = Array.from({ length: 60 }, (_, issue) =>
      groupOf(issue, [observation(1, `Topic ${issue % 7} of module ${issue}`, { issueNumber: issue })]),
    );
    for (const group of all) many.replace([group]);
    for (const group of all.slice(0, 30)) many.replace([group]);
    many.remove('issue-59.json');
    const once = new SearchIndex();
    once.replace(all.slice(0, 59));
    expect(many.count).toBe(59);
    const sorted = (index: SearchIndex) => found(index, 'module topic 3', 100).toSorted();
    expect(sorted(many)).toEqual(sorted(once));
    many.compacted();
    expect(many.segments).toHaveLength(1);
    expect(found(many, 'module topic 3', 100)).toEqual(found(once, 'module topic 3', 100));
  });
});
