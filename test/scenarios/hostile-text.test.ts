import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { escalationQuestionId } from '../../src/protocol/ids.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, agentxCommand, agentxEnvironment, aRepository, askArguments, PATIENCE_MS } from './support/agentx.js';
import { expectTame, filesBelow, HOSTILE, LONG } from './support/hostile.js';

const TURNS = '[[turns]]\ntimes = 0\nanswer = "Repository pattern."\n';
const CONFIG = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"\n';
const ask = (topic: string, question: string) => askArguments(topic, question);

/** Issue 1 with an answered clarification and an escalated one. */
async function repository(): Promise<string> {
  const issues = [{ title: 'Health endpoint', labels: ['type:feature'] }];
  const cwd = await aRepository({ issues, config: CONFIG, files: { 'turns.toml': TURNS } });
  agentx(cwd, ask('Database', 'Which?'));
  agentx(cwd, ask('Retention', 'How long?'));
  agentx(cwd, ['clarify', 'escalate', 'CLR-1-002', '-m', 'they disagree']);
  return cwd;
}

const OUR_COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d{1,2}m`, 'g');
const QUESTION = escalationQuestionId('CLR-1-002', 1);

/** Fields that hold names and numbers: hostile text in them is refused, with the exit code. */
const REFUSED: readonly (readonly [exit: number, ...args: readonly string[]])[] = [
  [2, '@'],
  [2, '--@'],
  [2, 'ask', '--issue', '@', '--from', 'engineer', '--to', 'architect', '--topic', 'T', '-q', 'Q'],
  [2, 'ask', '--issue', '1', '--from', '@', '--to', 'architect', '--topic', 'T', '-q', 'Q'],
  [2, 'ask', '--issue', '1', '--from', 'engineer', '--to', '@', '--topic', 'T', '-q', 'Q'],
  [2, 'clarify', '@'],
  [2, 'clarify', '--issue', '@'],
  [2, 'clarify', 'show', '@'],
  [2, 'clarify', 'answer', '@', '-m', 'text'],
  [2, 'clarify', 'follow-up', '@', '-q', 'text'],
  [2, 'clarify', 'resolve', '@', '-m', 'text'],
  [2, 'clarify', 'escalate', '@', '-m', 'text'],
  [2, 'inbox', '@'],
  [2, 'inbox', 'show', '@'],
  [2, 'inbox', 'answer', '@', '-m', 'text'],
  [2, 'inbox', 'answer', QUESTION, '--option', '@'],
  [2, 'inbox', 'answer', QUESTION, '--question', '@', '-m', 'text'],
  [2, 'inbox', 'answer', QUESTION, '--revision', '@', '-m', 'text'],
  [2, 'inbox', 'decline', '@'],
  [2, 'inbox', 'dismiss', '@'],
  [2, 'issue', '@'],
  [2, 'issue', 'show', '@'],
  [2, 'issue', 'comment', '@', '-b', 'text'],
  [2, 'issue', 'close', '@'],
  [2, 'state', 'set', '@', 'idle'],
  [2, 'state', 'set', 'engineer', '@'],
  [2, 'state', 'set', 'engineer', 'idle', '--issue', '@'],
  [2, 'hook', '@', 'engineer'],
  [2, 'hook', 'start', '@'],
  [2, 'hook', 'start', 'engineer', '@'],
  [2, 'hook', 'finish', 'engineer', '--transcript', '@'],
  [2, 'init', '--mode', '@'],
  [2, 'init', '--repo', '@'],
  [2, 'completion', '@'],
  [4, 'ready', '--root', '@'],
];

describe('hostile text in a field for names', () => {
  it.each([
    ['escapes', HOSTILE],
    ['a prototype key', '__proto__'],
    ['a constructor', 'constructor'],
    ['a path', '../../../etc/passwd'],
    ['too much', LONG],
  ])('is refused everywhere with a code and changes nothing: %s [CL-2/9]', async (_, text) => {
    const cwd = await repository();
    const before = filesBelow(cwd);
    // Every field with the worst text, a few with the others: each is a process of its own.
    const fields = text === HOSTILE ? REFUSED : REFUSED.filter((_, index) => index % 4 === 0);
    for (const [exit, ...args] of fields) {
      const typed = args.map((arg) => arg.replace('@', text));
      const what = args.join(' ');
      const plain = agentx(cwd, typed);
      expectTame(plain, what);
      expect({ status: plain.status, stdout: plain.stdout }, what).toEqual({ status: exit, stdout: '' });
      expect(plain.stderr, what).toMatch(/^error: /);
      expect(plain.stderr.length, what).toBeLessThan(1500);
      if (text !== HOSTILE) continue;
      const forPrograms = agentx(cwd, [...typed, '--json']);
      expectTame(forPrograms, `${what} --json`);
      expect(forPrograms.status, what).toBe(exit);
      expect(JSON.parse(forPrograms.stderr), what).toMatchObject({
        error: { code: exit === 4 ? 'NOT_FOUND' : 'INVALID_INPUT' },
      });
    }
    expect(filesBelow(cwd)).toEqual(before);
    expect(existsSync(join(cwd, 'owned'))).toBe(false);
  });

  it('in what surrounds a command is refused or shown as text', async () => {
    const cwd = await repository();
    const before = filesBelow(cwd);
    for (const [name, exit] of [
      ['AGENTX_AGENT', 2],
      ['AGENTX_ROOT', 4],
    ] as const) {
      const result = agentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'More?'], { env: { [name]: HOSTILE } });
      expectTame(result, name);
      expect(result.status, name).toBe(exit);
    }
    expect(filesBelow(cwd)).toEqual(before);
    expect(agentx(cwd, ['issue', 'comment', '1', '-b', 'Hello'], { env: { USER: HOSTILE } }).status).toBe(0);
    expect(agentx(cwd, ['inbox', 'answer', QUESTION, '--option', 'a'], { env: { USER: HOSTILE } }).status).toBe(0);
    for (const args of [
      ['issue', 'show', '1'],
      ['inbox', '--all'],
      ['inbox', 'show', QUESTION],
    ]) {
      expectTame(agentx(cwd, args), args.join(' '));
      expectTame(agentx(cwd, [...args, '--json']), `${args.join(' ')} --json`);
    }
  });
});

describe('hostile text in a field for text', () => {
  /** What takes text, and how long it may be. */
  const TEXTS: readonly (readonly [exit: number, ...args: readonly string[]])[] = [
    [0, ...ask('@', 'Which?')],
    [0, ...ask('Topic', '@')],
    [0, 'clarify', 'follow-up', 'CLR-1-001', '-q', '@'],
    [0, 'clarify', 'resolve', 'CLR-1-001', '-m', '@'],
    [3, 'clarify', 'escalate', 'CLR-1-003', '-m', '@'],
    [0, 'inbox', 'answer', QUESTION, '-m', '@'],
    [0, 'issue', 'create', '-t', '@', '-b', '@', '-l', '@'],
    [0, 'issue', 'comment', '1', '-b', '@'],
  ];
  const SCREENS = [
    ['clarify', '--all'],
    ['clarify', '--issue', '1'],
    ['clarify', 'graph'],
    ['inbox', '--all'],
    ['inbox', 'show', QUESTION],
    ['issue', 'list'],
    ['issue', 'show', '1'],
    ['issue', 'show', '2'],
    ['ready'],
    ['state'],
  ];

  it('is kept as it is and shown as text on every screen, to people and to programs [CL-2/9]', async () => {
    const cwd = await repository();
    for (const [exit, ...args] of TEXTS) {
      const result = agentx(
        cwd,
        args.map((arg) => arg.replace('@', HOSTILE)),
      );
      expectTame(result, args.join(' '));
      expect(result.status, `${args.join(' ')} ${result.stderr}`).toBe(exit);
    }
    for (const args of SCREENS) {
      const plain = agentx(cwd, args);
      expectTame(plain, args.join(' '));
      expect(plain.status, args.join(' ')).toBe(0);
      expectTame(agentx(cwd, [...args, '--json']), `${args.join(' ')} --json`);
      const { stdout } = agentx(cwd, args, { env: { FORCE_COLOR: '1' } });
      // Ours are colours and nothing else.
      expectTame({ stdout: stdout.replaceAll(OUR_COLOURS, ''), stderr: '' }, `${args.join(' ')} in colour`);
    }
    expect(existsSync(join(cwd, 'owned'))).toBe(false);
    const { clarifications } = JSON.parse(agentx(cwd, ['clarify', '--issue', '1', '--json']).stdout);
    expect(clarifications[2]).toMatchObject({ topic: HOSTILE });
    expect(JSON.parse(readFileSync(join(cwd, '.agentx/issues/2.json'), 'utf8'))).toMatchObject({ body: HOSTILE });
  });

  it.skipIf(!existsSync('/usr/bin/script'))('steers no terminal either', async () => {
    const cwd = await repository();
    for (const [, ...args] of TEXTS)
      agentx(
        cwd,
        args.map((arg) => arg.replace('@', HOSTILE)),
      );
    for (const args of SCREENS) {
      const shown = onTerminal(cwd, args);
      expect(shown, args.join(' ')).not.toBe('');
      // A terminal ends its lines with a return.
      expectTame({ stdout: shown.replaceAll('\r\n', '\n').replaceAll(OUR_COLOURS, ''), stderr: '' }, args.join(' '));
    }
  });

  it('is refused where there is too much of it, and then nothing is written', async () => {
    const cwd = await repository();
    const before = filesBelow(cwd);
    const taken = (args: readonly string[]) => args[0] === 'issue' && args[1] === 'comment';
    for (const [, ...args] of TEXTS.filter(([, ...args]) => !taken(args) && !args.includes('escalate'))) {
      const result = agentx(
        cwd,
        args.map((arg) => arg.replace('@', LONG)),
      );
      expect(result.status, args.join(' ')).toBe(2);
      expect(result.stderr.length, args.join(' ')).toBeLessThan(500);
    }
    expect(filesBelow(cwd)).toEqual(before);
  });
});

/** What a terminal gets to see: `script` makes one. */
function onTerminal(cwd: string, args: readonly string[]): string {
  const command = [...agentxCommand, ...args].map((word) => `'${word}'`).join(' ');
  const { stdout, error } = spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], {
    cwd,
    env: agentxEnvironment({ TERM: 'xterm' }),
    encoding: 'utf8',
    input: '',
    timeout: PATIENCE_MS,
  });
  if (error !== undefined) throw error;
  return stdout;
}

describe('text that is too long to be kept whole', () => {
  const PAIR = '\u{1f600}';
  /** Every length at which a record or an index cuts: the pair lies across it. */
  const across = (length: number) => `${'x'.repeat(length - 1)}${PAIR.repeat(10)}`;

  it('is never cut through a character, whatever it is kept in', async () => {
    const cwd = await aRepository({
      issues: [{ title: 'Health', labels: ['type:story'] }],
      config: `${commandAgent('engineer')}${commandAgent('reviewer')}`,
      files: {
        'engineer.mjs': agentProgram(`
          process.stderr.write(${JSON.stringify(across(16_000))});
          if (brief.answers?.length === 0 && brief.artifacts.length === 0) {
            reply({ artifacts: [{ path: 'a.md', content: ${JSON.stringify(across(2000))} }],
                    open_questions: [{ text: ${JSON.stringify(across(120))} }] });
          } else reply({ status: 'done', text: 'done' });
        `),
        'reviewer.mjs': agentProgram(`
          const again = existsSync('failed');
          appendFileSync('failed', '');
          process.stderr.write((again ? 'x' : '') + ${JSON.stringify(PAIR.repeat(10_000))});
          process.exitCode = 1;
        `),
      },
    });
    agentx(cwd, ['run', '1']);
    const listed = agentx(cwd, ['inbox']);
    expect(listed.stdout).toContain('xxx...');
    expect(listed.stdout).not.toContain('\ufffd');
    const [question] = (agentx(cwd, ['inbox', '--json']).json() as { questions: { id: string }[] }).questions;
    agentx(cwd, ['inbox', 'answer', question?.id ?? '', '-m', 'Yes.']);
    const paused = agentx(cwd, ['run', '1']);
    expect(paused.stderr).not.toContain('damaged');
    const doctor = agentx(cwd, ['doctor']);
    expect(doctor.stdout).toMatch(/^All \d+ files are in order\.$/m);
    expect(doctor.status).toBe(0);
    for (const [path, text] of Object.entries(filesBelow(join(cwd, '.agentx')))) {
      expect(text, path).not.toMatch(/\\ud83d|\ufffd/);
    }
  });
});
