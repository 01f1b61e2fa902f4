import { describe, expect, it } from 'vitest';
import { AT, aClarification } from '../../test/builders/clarification.js';
import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { summarise } from './weigh.js';

type Said = readonly [from: string, type: ThreadEntry['type'], body: string];

const thread = (topic: string, ...entries: readonly Said[]): ClarificationRecord =>
  aClarification({
    topic,
    status: 'resolved',
    thread: entries.map(([from, type, body], index) => ({
      round: Math.floor(index / 2) + 1,
      from,
      type,
      body,
      timestamp: AT,
    })),
  });

/** A thread, what its summary must contain, and what it must not contain. */
const FIXTURES: readonly [string, ClarificationRecord, readonly string[], readonly string[]][] = [
  [
    'an answer wrapped in courtesy',
    thread(
      'Database layer',
      ['engineer', 'question', 'ADR-42 says PostgreSQL, local development uses SQLite. Two adapters, or migrate?'],
      [
        'architect',
        'answer',
        'Great question! I looked into the history of the project, and originally there was only one database. ' +
          'Use the repository pattern with one adapter per environment: SQLite for development, PostgreSQL for production. ' +
          'Hope this helps, let me know if anything is unclear!',
      ],
      ['engineer', 'resolution', 'Clear. Proceeding.'],
    ),
    ['repository pattern', 'SQLite for development', 'PostgreSQL for production'],
    ['Great question', 'history', 'Hope this helps', 'Proceeding'],
  ],
  [
    'a decision at the end of a long answer',
    thread(
      'Session length',
      ['engineer', 'question', 'How long does a session live, and is it renewed?'],
      [
        'architect',
        'answer',
        'There are many ways to think about sessions. Some teams prefer long ones because users dislike logging in. ' +
          'Others prefer short ones for security. We discussed this at length last spring and went back and forth. ' +
          'Sessions must expire after 30 minutes without activity and are renewed with every request.',
      ],
      ['engineer', 'resolution', 'Thanks, that is clear.'],
    ),
    ['30 minutes', 'renewed'],
    ['many ways', 'Some teams', 'last spring', 'Thanks'],
  ],
  [
    'an answer that a later round corrects',
    thread(
      'Error format',
      ['engineer', 'question', 'Which format do errors of the API have?'],
      ['architect', 'answer', 'Use plain text with a status code.'],
      ['engineer', 'question', 'The PRD wants machine-readable errors. Does plain text still hold?'],
      [
        'architect',
        'answer',
        'You are right. Use RFC 9457 problem details instead of plain text, for every error of the API.',
      ],
      ['engineer', 'resolution', 'Understood.'],
    ),
    ['RFC 9457', 'instead of plain text'],
    ['You are right', 'with a status code', 'Understood'],
  ],
  [
    'a human who decides against both',
    thread(
      'Retention of audit logs',
      ['engineer', 'question', '30 days is what the storage budget allows. Is that enough?'],
      ['architect', 'answer', 'Compliance may want a year; we must ask. Use 365 days until then.'],
      ['agent-x', 'escalation', 'Topic: Retention of audit logs'],
      ['human', 'resolution', 'Keep audit logs for 90 days, then move them to cold storage.'],
    ),
    ['90 days', 'cold storage'],
    ['Topic:', '365'],
  ],
  [
    'a resolution that holds the decision itself',
    thread(
      'Cache',
      ['engineer', 'question', 'Do we cache the price list?'],
      ['architect', 'answer', 'It depends. Could be useful, maybe measure first.'],
      [
        'engineer',
        'resolution',
        'Sounds good. No cache in the first release: `PriceList` is read from the database on every request.',
      ],
    ),
    ['No cache in the first release', '`PriceList`'],
    ['Sounds good', 'depends', 'maybe'],
  ],
  [
    'a list of decisions',
    thread(
      'Upload limits',
      ['engineer', 'question', 'What are the limits of an upload: size, type, count?'],
      [
        'product-manager',
        'answer',
        'Hi there! Happy to clarify.\n- Uploads are limited to 25 MB per file\n- Only PNG and PDF are allowed\nFeel free to ping me any time.',
      ],
      ['engineer', 'resolution', 'Proceeding.'],
    ),
    ['25 MB per file. ', 'PNG and PDF'],
    ['Hi there', 'Happy', 'ping me', '- '],
  ],
  [
    'a refusal',
    thread(
      'Soft delete',
      ['engineer', 'question', 'Should deleted customers stay in the table with a flag?'],
      [
        'architect',
        'answer',
        'Thanks for asking. Soft delete looks attractive at first. Never keep deleted customers: the row is removed and ' +
          'only its id is stored in `deleted_customers`. That is a good topic for a later retrospective.',
      ],
      ['engineer', 'resolution', 'All clear, thank you!'],
    ),
    ['Never keep deleted customers', '`deleted_customers`'],
    ['Thanks', 'attractive', 'retrospective', 'thank you'],
  ],
  [
    'names and versions with full stops in them',
    thread(
      'Runtime',
      ['devops-engineer', 'question', 'Which Node version do we support, e.g. in CI?'],
      [
        'architect',
        'answer',
        'Sure, no problem. We support Node 20.19 and later, e.g. 22.4 in CI. Older ones are interesting historically.',
      ],
      ['devops-engineer', 'resolution', 'Got it, Node 20.19 it is.'],
    ),
    ['Node 20.19'],
    ['Sure', 'no problem', 'historically', 'Got it'],
  ],
  [
    'an answer in another language',
    thread(
      'W\u00e4hrung',
      ['engineer', 'question', 'In welcher W\u00e4hrung rechnen wir ab?'],
      ['product-manager', 'answer', 'Abgerechnet wird in EUR mit 2 Nachkommastellen.'],
      ['engineer', 'resolution', 'Alles klar.'],
    ),
    ['EUR', '2 Nachkommastellen'],
    [],
  ],
  [
    'a plain yes with a condition',
    thread(
      'Webhook retries',
      ['engineer', 'question', 'Do we retry a webhook that fails?'],
      ['architect', 'answer', 'Yes. Three attempts with a backoff that starts at 2 seconds. I hope that answers it!'],
      ['engineer', 'resolution', 'Clear, proceeding.'],
    ),
    ['Yes. Three attempts', '2 seconds'],
    ['I hope', 'roceeding'],
  ],
  [
    'nothing but a yes',
    thread(
      'Dark mode in the first release',
      ['ux-designer', 'question', 'Is dark mode in the first release?'],
      ['product-manager', 'answer', 'No.'],
      ['ux-designer', 'resolution', 'OK, thanks!'],
    ),
    ['Dark mode in the first release: No.'],
    ['thanks'],
  ],
  [
    'an answer with its reasons in the middle',
    thread(
      'Auth tokens',
      ['engineer', 'question', 'JWT or opaque tokens for the session?'],
      [
        'architect',
        'answer',
        'I would go with opaque tokens. JWTs cannot be revoked and we need logout everywhere. Store the SHA-256 hash in ' +
          '`sessions.token_hash` and never the token itself. We could revisit this once we have a gateway.',
      ],
      ['engineer', 'resolution', 'Clear. Proceeding.'],
    ),
    ['opaque tokens', 'SHA-256'],
    ['gateway', 'logout everywhere'],
  ],
  [
    'history first and the choice last',
    thread(
      'Queue',
      ['engineer', 'question', 'SQS or RabbitMQ?'],
      [
        'architect',
        'answer',
        'We evaluated both in March. RabbitMQ gave us trouble with upgrades. SQS, then, with a visibility timeout of 60 s ' +
          'and a dead letter queue after 5 receives.',
      ],
      ['engineer', 'resolution', 'Thanks, going with SQS.'],
    ),
    ['SQS', '60 s', '5 receives'],
    ['March', 'trouble', 'Thanks'],
  ],
  [
    'one endless sentence',
    thread(
      'Scope',
      ['engineer', 'question', 'What is in scope?'],
      ['product-manager', 'answer', `Use the new checkout for ${'returning customers and '.repeat(40)}guests.`],
      ['engineer', 'resolution', 'Clear.'],
    ),
    ['Use the new checkout', '...'],
    ['Clear.'],
  ],
];

describe('the summary of a thread', () => {
  it.each(FIXTURES)('keeps the decision of %s', (_, record, decision, gone) => {
    const summary = summarise(record);
    for (const term of decision) expect(summary).toContain(term);
    for (const fluff of gone) expect(summary).not.toContain(fluff);
    expect(summary.length).toBeLessThanOrEqual(300);
    expect(summary).not.toBe('');
  });

  it('names the topic of an empty thread', () => {
    expect(summarise(aClarification({ topic: 'Colours', thread: [] }))).toBe('Colours: pending.');
    expect(summarise(thread('Colours', ['architect', 'answer', 'Sure!'], ['engineer', 'resolution', 'OK.']))).toContain(
      'Colours',
    );
  });
});

describe('a human who decides in a word', () => {
  const summaryAfter = (body: string) =>
    summarise(
      aClarification({
        topic: 'Database',
        status: 'resolved',
        thread: [
          { round: 1, from: 'engineer', type: 'question', body: 'Which one?', timestamp: AT },
          { round: 1, from: 'architect', type: 'answer', body: 'SQLite.', timestamp: AT },
          { round: 1, from: 'human', type: 'resolution', body, timestamp: AT },
        ],
      }),
    );

  it.each(['MySQL.', '30', 'No.'])('is not taken for one who said nothing: %s', (word) => {
    expect(summaryAfter(word)).toBe(`Database: ${word}`);
  });

  it.each(['Clear.', 'Thanks!', 'ok', 'Clear. Proceeding.', 'Thanks! All clear.'])(
    'leaves the answer standing with a courtesy: %s',
    (courtesy) => {
      expect(summaryAfter(courtesy)).toBe('Database: SQLite.');
    },
  );
});
