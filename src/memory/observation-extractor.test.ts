import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HELD_OUT, LABELLED, LATER, type Labelled } from '../../test/fixtures/transcripts/labels.js';
import { parseObservationId } from '../protocol/ids.js';
import { summaryText } from '../protocol/session-summary.js';
import type { ObservationDraft } from './draft-observations.js';
import { draftsOfSummary, draftsOfTranscript, ObservationExtractor } from './observation-extractor.js';

const FOLDER = join(import.meta.dirname, '../../test/fixtures/transcripts');
const draftsOf = (file: string) => draftsOfTranscript(readFileSync(join(FOLDER, file), 'utf8'));

const includes = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

function missingIn(drafts: readonly ObservationDraft[], { wanted }: Labelled): readonly string[] {
  const isFound = (category: string, part: string) =>
    drafts.some((draft) => includes(draft.content, part) && (category === 'any' || draft.category === category));
  return wanted
    .filter(([category, part]) => !isFound(category, part))
    .map(([category, part]) => `${category}: ${part}`);
}

function noiseIn(drafts: readonly ObservationDraft[], { wanted, fine = [] }: Labelled): readonly string[] {
  const parts = [...wanted.map(([, part]) => part), ...fine];
  return drafts.map(({ content }) => content).filter((content) => !parts.some((part) => includes(content, part)));
}

function quality(all: readonly Labelled[]) {
  const results = all.map((one) => {
    const drafts = draftsOf(one.file);
    return {
      drafts: drafts.length,
      wanted: one.wanted.length,
      missing: missingIn(drafts, one),
      noise: noiseIn(drafts, one),
    };
  });
  const sum = (of: (result: (typeof results)[number]) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const [drafts, wanted] = [sum((result) => result.drafts), sum((result) => result.wanted)];
  return {
    precision: 1 - sum(({ noise }) => noise.length) / drafts,
    recall: 1 - sum(({ missing }) => missing.length) / wanted,
    missing: results.flatMap(({ missing }) => missing),
    noise: results.flatMap(({ noise }) => noise),
  };
}

describe('observations of real sessions', () => {
  it.each(LABELLED.map((one) => [one.file, one] as const))(
    'of %s are useful and without noise [ME-2/9]',
    (_file, one) => {
      const drafts = draftsOf(one.file);
      expect({ missing: missingIn(drafts, one), noise: noiseIn(drafts, one) }).toEqual({ missing: [], noise: [] });
    },
  );

  it('are as useful where the rules did not know the session [ME-2/9]', () => {
    const { precision, recall, noise, missing } = quality(HELD_OUT);
    expect({ noise, missing, isPrecise: precision >= 0.9, isComplete: recall >= 0.8 }).toMatchObject({
      isPrecise: true,
      isComplete: true,
    });
  });

  it('are as useful in long sessions of other shapes and subjects [ME-2/9]', () => {
    const { precision, recall, noise, missing } = quality(LATER);
    expect({ noise, missing, isPrecise: precision >= 0.95, isComplete: recall >= 0.85 }).toMatchObject({
      isPrecise: true,
      isComplete: true,
    });
  });

  it('tell nothing of tool calls, tests that pass, costs and intentions', () => {
    const all = [...LABELLED, ...HELD_OUT, ...LATER].flatMap(({ file }) =>
      draftsOf(file).map(({ content }) => content),
    );
    const noise = /tool calls?|tests? pass|passed|tokens|\bcost:|let me|i'll (?:look|start|check)|anything else|\?$/i;
    expect(all.filter((content) => noise.test(content))).toEqual([]);
  });

  it.each(['Test run: 214 passed, 0 failed.', 'The suite ends with 214 passed and no failures.'])(
    'tell of no failure where a run of tests has none: %s',
    (line) => {
      expect(draftsOfTranscript(`User: run them\nAssistant: ${line}`)).toEqual([]);
      const failed = line.replace(/\b(?:0|no) /, '3 ');
      expect(draftsOfTranscript(`User: run them\nAssistant: ${failed}`)).not.toEqual([]);
    },
  );

  it('contain no secret of a session', () => {
    expect(JSON.stringify(draftsOf('claude-payments.jsonl'))).not.toContain('4eC39Hq');
  });
});

describe('the ObservationExtractor', () => {
  let count = 0;
  const extractor = new ObservationExtractor({
    now: () => '2026-03-01T10:00:00.000Z',
    random: () => String(++count).padStart(6, 'a'),
    countTokens: (text) => text.length,
  });
  const SUMMARY = summaryText({
    decisions: ['Use PostgreSQL 16 in production. (CLR-42-001, architect)', 'No cache'],
    codeChanges: ['Wrote docs/adr/ADR-42.md'],
    errors: ['AGENT_ERROR: exit 7'],
    keyFacts: ['CI runs on SQLite only.'],
  });

  it('finds every category of a compaction summary [ME-2/1] [ME-2/2] [ME-2/3] [ME-2/4] [ME-2/5]', () => {
    const observations = extractor.extractObservations(SUMMARY, 'engineer', 42, 'run-42-1a2b3c4d.implement.1');
    expect(observations.map(({ category, content }) => [category, content])).toEqual([
      ['decision', 'Use PostgreSQL 16 in production. (CLR-42-001, architect)'],
      ['decision', 'No cache'],
      ['code-change', 'Wrote docs/adr/ADR-42.md'],
      ['error', 'AGENT_ERROR: exit 7'],
      ['key-fact', 'CI runs on SQLite only.'],
    ]);
  });

  it('keeps what a summary says outside of its sections as a whole [ME-2/1]', () => {
    const drafts = draftsOfSummary(
      'The session prepared the release of version 3 for the beta group.\n\n## Decisions\n- Ship on Monday, without the importer\n',
    );
    expect(drafts.map(({ category }) => category)).toEqual(['decision', 'compaction-summary']);
  });

  it('gives each observation agent, issue, session and an id of its own [ME-2/6]', () => {
    const observations = extractor.extractObservations(SUMMARY, 'pm', 42, 's-1');
    expect(observations[0]).toMatchObject({
      agent: 'product-manager',
      issueNumber: 42,
      sessionId: 's-1',
      tokens: observations[0]?.content.length,
    });
    expect(new Set(observations.map(({ id }) => id)).size).toBe(observations.length);
    for (const { id } of observations)
      expect(parseObservationId(id)).toMatchObject({ agent: 'product-manager', issueNumber: 42 });
  });

  it('extracts at most 50, each cut at 2000 characters [ME-2/7] [ME-2/8] [ME-9/3]', () => {
    const decisions = Array.from(
      { length: 80 },
      (_, index) => `Use adapter ${index} for the tenant number ${index * 7}`,
    );
    const long = `We decided to ${'use the very long name and '.repeat(200)}that is all.`;
    expect(
      extractor.extractObservations(
        summaryText({ decisions, codeChanges: [], errors: [], keyFacts: [] }),
        'engineer',
        1,
        's',
      ),
    ).toHaveLength(50);
    expect(draftsOfTranscript(decisions.map((one) => `We decided: ${one}.`).join('\n'))).toHaveLength(50);
    const [only] = draftsOfSummary(`## Decisions\n- ${long}\n`);
    expect([...(only?.content ?? '')].length).toBeLessThanOrEqual(2000);
  });

  it('stores nothing private and no secret [ME-9/1] [ME-9/2] [ME-9/8]', () => {
    const text =
      'We decided to use DB_PASSWORD=hunter22 for staging. <private>We decided to fire Bob.</private>\nWe chose Redis 7 for queues. <private>We chose to hide this in `x.ts`.';
    const drafts = JSON.stringify(draftsOfTranscript(text));
    expect(drafts).not.toMatch(/hunter22|Bob|hide this/);
    expect(drafts).toContain('Redis 7');
  });

  it.each([
    ['nothing', ''],
    [
      'half a line of JSON',
      '{"type":"user","message":{"role":"user","content":"We decided to use Redis 7 for the queue."}}\n{"type":"assist',
    ],
    ['JSON of another kind', '[1, "two", null, {"three": [4]}, {"role": 7, "content": {"text": 5}}]'],
    ['deep JSON', `${'['.repeat(5000)}1${']'.repeat(5000)}`],
    [
      'null in every place',
      '{"type":null,"message":null}\n{"role":"user","content":null}\n{"role":"assistant","content":[null,{"type":"text","text":null}]}',
    ],
    ['binary', String.fromCharCode(...Array.from({ length: 2000 }, (_, index) => index % 256))],
    ['one endless line', 'We decided '.repeat(50_000)],
    ['many marks', '> '.repeat(20_000)],
    ['open fences', '```\n'.repeat(5_000)],
  ])('survives %s', (_name, text) => {
    expect(Array.isArray(draftsOfTranscript(text))).toBe(true);
    expect(Array.isArray(draftsOfSummary(text))).toBe(true);
  });
});

describe('a session of any size', () => {
  it('is read where a line is a megabyte of data', () => {
    const text = `We decided to use PostgreSQL 16 because of its locks.\n${`${'x'.repeat(1_000_000)}\n`.repeat(5)}`;
    expect(draftsOfTranscript(text).map(({ content }) => content)).toEqual([
      'We decided to use PostgreSQL 16 because of its locks.',
    ]);
  });

  it('has nothing to tell where its file is no text', () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, place) => (place * 7919 + (place >> 3) * 31) % 256));
    expect(draftsOfTranscript(bytes.toString('utf8'))).toEqual([]);
  });

  it('is read where it has more to tell than is kept', () => {
    const line = (place: number) =>
      JSON.stringify({ role: 'assistant', content: `We decided to keep vendor ${place} in \`gateway/${place}.ts\`.` });
    const text = Array.from({ length: 20_000 }, (_, place) => line(place)).join('\n');
    expect(draftsOfTranscript(text)).toHaveLength(50);
  });

  it('is told of by what was said once, too, where one thing is said again and again', () => {
    const strong = 'We decided to keep 3 retries of `PaymentGateway` in `gateway/retry.ts`.';
    const text = [...Array.from({ length: 1200 }, () => strong), 'Deploys need an approval on Fridays.']
      .map((content) => JSON.stringify({ role: 'assistant', content }))
      .join('\n');
    const contents = draftsOfTranscript(text).map(({ content }) => content);
    expect(contents).toEqual([strong, 'Deploys need an approval on Fridays.']);
  });

  it('keeps no secret of a long message, whose other sentences stay', () => {
    const key = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const content = `We decided to use Kafka 3 for the queue. We decided to store ${key} in \`vault/ci.toml\`.`;
    const contents = draftsOfTranscript(JSON.stringify({ role: 'assistant', content })).map((one) => one.content);
    expect(contents).toEqual([
      'We decided to use Kafka 3 for the queue.',
      'We decided to store [redacted] in `vault/ci.toml`.',
    ]);
  });
});

it('takes what a person wrote into a shell for what they said, and comments of a file that was shown for output', () => {
  const drafts = draftsOfTranscript(
    [
      'ana@build:~/fw$ cat board.conf',
      '# we keep this file as it is, never edit it by hand',
      'baud=115200',
      'ana@build:~/fw$ # the bootloader only accepts images below 512 kB',
      'ana@build:~/fw$ make strip',
      'ok',
      "# we don't sign images for the dev boards, only for production",
      'ana@build:~/fw$ exit',
    ].join('\n'),
  );
  expect(drafts.map(({ category, content }) => [category, content])).toEqual([
    ['key-fact', 'the bootloader only accepts images below 512 kB'],
    ['key-fact', "we don't sign images for the dev boards, only for production"],
  ]);
});

it('takes a failure that did not happen for no error', () => {
  const drafts = draftsOfTranscript('Assistant: It is your call, six failures would be a minute.');
  expect(drafts.filter(({ category }) => category === 'error')).toEqual([]);
});

const CHAT = (...said: readonly (readonly ['user' | 'assistant', string])[]) =>
  draftsOfTranscript(said.map(([role, content]) => JSON.stringify({ role, content })).join('\n')).map(
    ({ category, content }) => `${category}: ${content}`,
  );

describe('what is said in a few words', () => {
  const PROPOSAL = [
    'assistant',
    '`save` writes straight into the file. I suggest writing to a temp file and renaming it.',
  ] as const;

  it('is decided where a user agrees to a proposal', () => {
    expect(CHAT(PROPOSAL, ['user', 'yes do that'])).toContain(
      'decision: Agreed: `save` writes straight into the file. I suggest writing to a temp file and renaming it.',
    );
  });

  it.each(['no, leave it', 'not today', 'hmm, why?', 'what would that cost'])(
    'is nothing where a user says: %s',
    (answer) => {
      expect(CHAT(PROPOSAL, ['user', answer]).filter((one) => one.includes('Agreed'))).toEqual([]);
    },
  );

  it('is told with its question where a user declines', () => {
    const asked = 'Should I allow a small tolerance when comparing amounts?';
    expect(CHAT(['assistant', asked], ['user', 'No tolerance.'])).toEqual([`decision: ${asked} No tolerance.`]);
    expect(CHAT(['assistant', asked], ['user', 'no, not today'])).toEqual([]);
  });

  it('is no choice of an option that is only tried', () => {
    expect(
      CHAT(['assistant', 'Two ways:\n\nA) a lock\nB) a queue for all writers'], ['user', 'B, can you try it']),
    ).toEqual([]);
  });
});

describe('an answer to a choice', () => {
  const TABLE =
    '| option | effect |\n|---|---|\n| A | keep a column `tz` per station |\n| B | compute in UTC for everyone |';

  it('names a row of a table', () => {
    expect(CHAT(['assistant', `Two possibilities:\n\n${TABLE}`], ['user', 'A. And nothing else please.'])[0]).toMatch(
      /^decision: Chosen: Keep a column `tz` per station\./,
    );
  });

  it('repeats one of two that a question offers', () => {
    const question = 'Sure. Should the limit of the feed be per show or global?';
    expect(CHAT(['assistant', question], ['user', 'global, 300, newest first.'])).toEqual([
      'decision: Should the limit of the feed be per show or global? Global, 300, newest first.',
    ]);
    expect(CHAT(['assistant', question], ['user', 'hm, good question'])).toEqual([]);
  });
});

describe('a paragraph', () => {
  it('is told with what a pronoun points at, and with how an error is mended', () => {
    expect(
      CHAT([
        'assistant',
        "I'll write `tools/flash.py`. It reads the AppKey from the sheet and sets the DevNonce 100 higher.",
      ]),
    ).toEqual([
      "key-fact: I'll write `tools/flash.py`. It reads the AppKey from the sheet and sets the DevNonce 100 higher.",
    ]);
    expect(
      CHAT([
        'assistant',
        "The deadlock happens because two workers lock `captures` in different order. I'll add `.order_by(id)` there.",
      ]),
    ).toEqual([
      "error: The deadlock happens because two workers lock `captures` in different order. I'll add `.order_by(id)` there.",
    ]);
  });

  it('is worth nothing where it lists ideas, also below a sentence, and goes on after them', () => {
    const text =
      'It overflows. Where could we save? Ideas:\n\n- drop support of class B in 1.8\n- use `-flto` for all\n\nThe limit is 112640 bytes.';
    expect(CHAT(['assistant', text])).toEqual(['key-fact: The limit is 112640 bytes.']);
  });

  it('is decided where it says what we do', () => {
    expect(CHAT(['user', 'so we shrink slot B back to 0x1B800 and make the image smaller'])[0]).toMatch(/^decision: /);
  });
});

it('tells of commits by their command where no output does, and of tools that a chat shows in brackets', () => {
  expect(
    CHAT(
      ['assistant', '[tool:edit] src/save_game.gd: write to a temporary file'],
      ['assistant', '[tool:run] git add -A && git commit -qm "saves survive a crash" && git push'],
    ),
  ).toEqual([
    'code-change: Commit: saves survive a crash',
    'code-change: Files changed in this session: src/save_game.gd',
  ]);
});

it('takes a share of tests for no prompt of a shell, and a call with brackets for a call', () => {
  const log =
    '\u25cf Bash(echo $(date))\n  \u23bf  ok\n\u25cf The suite is through.\n89% tests passed, 1 failed out of 9\n\nThe limit is 40 bytes, so the nonce gets cut off.';
  expect(draftsOfTranscript(log).map(({ content }) => content)).toEqual([
    'The limit is 40 bytes, so the nonce gets cut off.',
  ]);
});

describe('a history in text', () => {
  const contentsOf = (...lines: readonly string[]) =>
    draftsOfTranscript(lines.join('\n')).map(({ content }) => content);

  it('goes on after a shell that is shown in a fence', () => {
    expect(
      contentsOf(
        '**Assistant:**',
        'I look at the history.',
        '```',
        '$ git log --oneline -2',
        'a91f0c3 drop the version',
        '```',
        'The importer writes by JDBC and never counts the column `version` up.',
      ),
    ).toEqual(['The importer writes by JDBC and never counts the column `version` up.']);
  });

  it('may show its speakers as prompts', () => {
    const lines = ['you > why does it reset', 'agent > The watchdog window is 3 s, but two dead slaves take 4 s.'];
    expect(contentsOf(...lines)).toEqual(['The watchdog window is 3 s, but two dead slaves take 4 s.']);
  });

  it('may be notes between commands, with names of one letter', () => {
    const contents = contentsOf(
      'H: the run gives negative friction, is it the data',
      'Bot: It may be the line search.',
      'H: yes but we had log in the past, why not now',
      '$ pytest -q',
      '1 failed in 18.20s',
      '',
      'CAUSE: optim.py line 26 evaluates the gradient at softplus(theta), but the value at theta.',
      'H: and take 1e3, round numbers are easier to defend',
    );
    expect(contents).toContain(
      'CAUSE: optim.py line 26 evaluates the gradient at softplus(theta), but the value at theta.',
    );
  });

  it('is no log whose lines have names', () => {
    expect(
      contentsOf('2025-10-13 22:10:04 obs: 1830442 pixels, 211004 masked', '2025-10-13 22:10:05 obs: 250 m, 2021-2023'),
    ).toEqual([]);
  });

  it('shows calls of tools in brackets, which say nothing', () => {
    expect(CHAT(['assistant', '[bash] kubectl -n billing logs deploy/ledgerd-cron --since=24h | head -40'])).toEqual(
      [],
    );
  });
});
