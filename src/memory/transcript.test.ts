import { describe, expect, it } from 'vitest';
import { textProblem } from '../protocol/sound-data.js';
import { draftsOfTranscript } from './observation-extractor.js';
import { readTranscript } from './transcript.js';

const DECIDED = 'We decided to keep the timeout of 5 seconds because the gateway needs it.';
const CHANGED = 'I changed `src/auth.ts` so that tokens expire after 20 minutes.';
const CHAT = [
  { role: 'user', content: DECIDED },
  { role: 'assistant', content: CHANGED },
];

const contentsOf = (text: string) => draftsOfTranscript(text).map(({ content }) => content);
const speakersOf = (...lines: readonly string[]) =>
  readTranscript(lines.join('\n')).map((message) => (message.kind === 'said' ? message.by : message.kind));

it('is remembered without what no observation may contain: NUL, and halves of characters', () => {
  const torn = { role: 'user', content: DECIDED.replace('timeout', 'time\0out').replace('gateway', 'gate\ud800way') };
  for (const text of [JSON.stringify([torn, CHAT[1]]), `User: ${torn.content}\n\nAssistant: ${CHANGED}`]) {
    const contents = contentsOf(text);
    expect(contents).toEqual([expect.stringMatching(/^We decided to keep the time.?out of 5 seconds/), CHANGED]);
    expect(contents.map(textProblem)).toEqual([undefined, undefined]);
  }
});

describe('JSON', () => {
  const LINES = CHAT.map((message) => JSON.stringify(message)).join('\n');
  const DOCUMENT = JSON.stringify({ messages: [...CHAT, { role: 'user', content: 'and so on' }] });

  it.each([
    ['lines behind what a program printed first', `Loading the configuration\n${LINES}`],
    ['lines between what a program printed', `warning: no tty\n${LINES.replace('\n', '\nwarning: no tty\n')}\nbye`],
    ['a document that was cut off', DOCUMENT.slice(0, -12)],
    ['a printed document that was cut off', JSON.stringify(JSON.parse(DOCUMENT), null, 2).slice(0, -20)],
    ['a document with text around it', `Exported on Monday.\n\n${DOCUMENT}\n\nEnd of export.`],
    ['a list of messages within other fields', JSON.stringify({ data: { session: { id: 7, messages: CHAT } } })],
  ])('is read as %s', (_name, text) => {
    expect(contentsOf(text)).toEqual([DECIDED, CHANGED]);
  });

  it('is read as lines most of which say nothing, as codex leaves them', () => {
    const event = (type: string) => JSON.stringify({ type, payload: { type: 'token_count' } });
    const lines = CHAT.map(({ role, content }) =>
      [
        JSON.stringify({
          type: 'response_item',
          payload: { type: 'message', role, content: [{ type: 'input_text', text: content }] },
        }),
        ...['event_msg', 'turn_context', 'token_usage_record'].map(event),
      ].join('\n'),
    );
    expect(contentsOf(lines.join('\n'))).toEqual([DECIDED, CHANGED]);
  });

  it('is read between many lines that nobody knows, none of which is text', () => {
    const entry = JSON.stringify({
      level: 30,
      snapshot: { msg: 'the file `src/auth.ts` was tracked because it changed' },
    });
    const lines = LINES.split('\n').flatMap((line) => [entry, line, entry, entry, entry]);
    expect(contentsOf(lines.join('\n'))).toEqual([DECIDED, CHANGED]);
    expect(contentsOf([entry, entry, entry].join('\n'))).toEqual([]);
  });

  it('that is only a part of a text is no transcript', () => {
    const request = JSON.stringify({ messages: [{ role: 'user', content: 'We decided to use Kafka 3 for this.' }] });
    const text = `User: why does this fail?\n${request}\nAssistant: ${CHANGED}\nUser: ${DECIDED}\n${'ok\n'.repeat(80)}`;
    expect(contentsOf(text)).toEqual(expect.arrayContaining([DECIDED, CHANGED]));
  });

  it('has colours in what tools showed', () => {
    const esc = String.fromCharCode(27);
    const output = `${esc}[31mTypeError${esc}[0m: Cannot read properties of undefined (reading 'total')`;
    const lines = [...CHAT, { role: 'tool', content: output }].map((message) => JSON.stringify(message)).join('\n');
    expect(contentsOf(lines)).toContain("TypeError: Cannot read properties of undefined (reading 'total')");
  });
});

describe('what programs add to the words of a user', () => {
  const said = (content: string) => contentsOf(JSON.stringify({ role: 'user', content }));

  it('is left out, whatever its name is', () => {
    expect(said(`<open_files>\nOnly admins may edit \`a.ts\`, never guests.\n</open_files>\n${DECIDED}`)).toEqual([
      DECIDED,
    ]);
  });

  it('is left out to the end if it was cut off', () => {
    expect(said(`${DECIDED}\n<system-reminder>\nYou must always use the \`TodoWrite\` tool for 3 steps.`)).toEqual([
      DECIDED,
    ]);
  });

  it('may stand around the words themselves', () => {
    expect(said(`<user_query>\n${DECIDED}\n</user_query>`)).toEqual([DECIDED]);
  });

  it('is no placeholder in a sentence', () => {
    expect(said('Never commit <your-name> or <your-key> to `config.toml`.')).toHaveLength(1);
  });
});

describe('who speaks', () => {
  it('is not said by headings and labels of a message', () => {
    const sections = ['### User authentication', '### Request', 'Output: 3 rows', '**Client-side changes**'];
    expect(speakersOf('## User', 'go', '## Assistant', 'I did this.', ...sections, '## User', 'ok')).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('is said by names of people in headings, if programs have headings and no user has', () => {
    const lines = [
      '## \u{1f9d1} Maren',
      'go',
      '## \u{1f916} Assistant',
      'I did this.',
      '## Notes',
      'a',
      '## \u{1f9d1} Maren',
      'ok',
    ];
    expect(speakersOf(...lines)).toEqual(['user', 'assistant', 'user']);
    const dated = ['**Tobias** _(14:02)_', 'go', '**Claude** _(14:03)_', 'I did.', '**Tobias** _(14:05)_', 'ok'];
    expect(speakersOf(...dated)).toEqual(['user', 'assistant', 'user']);
    const headings = ['## User', 'go', '## Assistant', 'a', '## Changes', 'b', '## Assistant', 'c', '## Changes', 'd'];
    expect(speakersOf(...headings)).toEqual(['user', 'assistant', 'assistant']);
  });

  it.each([
    ['09:02 <@dana> ', '09:03 <bot> '],
    ['[2026-06-09 09:02:11] <dana> ', '[2026-06-09 09:03:12] <bot> '],
    ['(09:02:11) dana: ', '(09:03:12) bot: '],
    ['09/06/2026, 9:02 AM - Dana: ', '09/06/2026, 9:03 AM - Bot: '],
    ['[09.06.26, 09:02:11] Dana: ', '[09.06.26, 09:03:12] Bot: '],
    ['Dana (09:02): ', 'Bot (09:03): '],
  ])('is said by a name with the time: %s', (person, program) => {
    const lines = [
      '--- Log opened Tue Jun 09 08:58:11 2026',
      '08:58 -!- dana [~dana@lab-7.example] has joined #labels',
      `${person}morning, coffee is on`,
      `${person}${DECIDED}`,
      `${program}${CHANGED}`,
      `${person}it is good to know, thanks`,
      '09:34 -!- dana [~dana@lab-7.example] has quit [Ping timeout]',
    ];
    expect(contentsOf(lines.join('\n'))).toEqual([DECIDED, CHANGED]);
  });

  it('is not said by a fence', () => {
    const fence = ['```yaml', 'user: postgres', 'output: dist', '```'];
    expect(speakersOf('User: go', 'Assistant: like this', ...fence, 'That is all.', 'User: ok')).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('is said after a fence that was never closed', () => {
    expect(
      contentsOf(`User: go\nAssistant: like this\n\`\`\`ts\nconst a = 1\n\nUser: ${DECIDED}\nAssistant: ${CHANGED}`),
    ).toEqual([DECIDED, CHANGED]);
  });
});

describe('text', () => {
  it('goes on after a fence of one line', () => {
    expect(contentsOf(`## Assistant\n\n\`\`\`npm test\`\`\`\n\n${CHANGED}`)).toEqual([CHANGED]);
  });

  it('has lines that end with several returns, and letters that were typed over', () => {
    const line = CHANGED.replace('changed', 'chamge\b\b\bnged');
    expect(contentsOf(`User: ${DECIDED}\r\r\nAssistant: ${line}\r\r\n`)).toEqual([DECIDED, CHANGED]);
  });

  it('shows a difference, whose comments nobody said', () => {
    const diff = [
      '@@ -1,3 +1,3 @@',
      ' // The cache is never cleared because the worker keeps it',
      '-// We decided to use Redis 6 for the queue',
      '+// We decided to use Redis 7 for the queue',
      ' // The limit is 500 rows per call',
    ];
    expect(contentsOf(['Assistant: This is it:', '', ...diff, CHANGED].join('\n'))).toEqual([CHANGED]);
  });

  it('is wrapped before a capital letter, too', () => {
    const german =
      'Der Import bricht nach 5.000 Zeilen ab, weil der Treiber die offenen\nVerbindungen von `pool.ts` schliesst.';
    expect(contentsOf(german)).toEqual([german.replace('\n', ' ')]);
  });

  it.each([
    ['spaces', `x${' '.repeat(100_000)}y`],
    ['a drawn line', `${'\u2500'.repeat(100_000)}y`],
    ['backticks', '`'.repeat(100_000)],
    ['tags that are never closed', '<system-reminder> <open_files> '.repeat(20_000)],
    ['words of a log', `$ cat log\n${`${'word '.repeat(399)}\n`.repeat(1000)}`],
  ])('of many %s is read in a moment', (_name, text) => {
    expect(contentsOf(`User: ${DECIDED}\n${text}`)).toEqual([DECIDED]);
  });
});
