import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aClarification } from '../builders/clarification.js';
import { anIssue } from '../builders/issue.js';
import { aQuestion } from '../builders/question.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentProgram, commandAgent } from './support/agents.js';
import {
  type AgentxResult,
  agentx,
  agentxEnvironment,
  aRepository,
  askArguments,
  inOwnProcess,
} from './support/agentx.js';
import { expectTame, filesBelow, HOSTILE } from './support/hostile.js';

const ISSUES = [{ title: 'Orders' }];
const ASK = askArguments('Database', 'Which?');
const LONG = `${HOSTILE} ${'x'.repeat(1000)}`;
/** What a program can print and no record may hold. */
const WORST = `${HOSTILE}\u0000\ud800 ${'x'.repeat(1000)}`;
const MEGABYTE = 'x'.repeat(1024 * 1024);

function put(cwd: string, name: string, content: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), content);
}

function expectTold(result: AgentxResult, what: string): void {
  expectTame(result, what);
  expect([0, 1, 2, 3], `${what}: ${result.stderr}`).toContain(result.status);
  expect((result.stdout + result.stderr).length, what).toBeLessThan(50_000);
}

describe('a hostile reply of an agent', () => {
  it.each([
    ['escapes', 'reply({ answer: long });', 0],
    ['escapes as plain text', 'process.stdout.write(long);', 0],
    ['a NUL and half a character', 'reply({ answer: worst });', 3],
    ['a NUL and half a character as plain text', 'process.stdout.write(worst);', 3],
    ['bytes that are no text', 'process.stdout.write(Buffer.from([0xff, 0xfe, 0x9b, 0x41]));', 3],
    ['a prototype key', `process.stdout.write('{"answer":"Yes.","__proto__":{"isAdmin":true}}');`, 3],
    [
      'more depth than a stack',
      `process.stdout.write('{"answer":"Yes.","more":' + '['.repeat(1e5) + ']'.repeat(1e5) + '}');`,
      3,
    ],
    ['a megabyte of JSON', 'reply({ answer: "x".repeat(1024 * 1024) });', 3],
    ['wrong types', 'reply({ answer: { toString: 1 }, status: ["done"] });', 3],
    ['an error on two screens', 'process.stderr.write(worst); process.exitCode = 1;', 3],
  ])('with %s is an answer or a failure, and shown as text', async (what, body, exit) => {
    const words = `const long = ${JSON.stringify(LONG)}, worst = ${JSON.stringify(WORST)};`;
    const program = agentProgram(`${words}\n${body}`);
    const cwd = await aRepository({
      issues: ISSUES,
      config: commandAgent('architect'),
      files: { 'architect.mjs': program },
    });
    const result = agentx(cwd, ASK);
    expectTold(result, what);
    expect(result.status, result.stderr).toBe(exit);
    for (const args of [['clarify', '--issue', '1'], ['inbox'], ['ready'], ['clarify', '--issue', '1', '--json']]) {
      const shown = agentx(cwd, args);
      expectTold(shown, `${what}: ${args.join(' ')}`);
      expect(shown.status).toBe(0);
    }
  });
});

describe('hostile files of another program', () => {
  const ledger = (fields: object) =>
    JSON.stringify({
      issueNumber: 1,
      clarifications: [{ ...aClarification({ id: 'CLR-1-001', staleAfter: '2999-01-01T00:00:00.000Z' }), ...fields }],
    });
  const SCREENS = [
    ['clarify'],
    ['clarify', '--issue', '1'],
    ['clarify', 'graph'],
    ['ready'],
    ['inbox'],
    ['issue', 'list'],
    ['issue', 'show', '1'],
    ['state'],
  ];

  it('are shown as text where they can be read [CL-2/9]', async () => {
    const cwd = await aRepository({ issues: ISSUES });
    const thread = [{ round: 1, from: LONG, type: 'question', body: LONG, timestamp: '2026-02-26T10:00:00.000Z' }];
    put(cwd, '.agentx/state/clarifications/issue-1.json', ledger({ topic: LONG, thread, [LONG]: LONG }));
    put(
      cwd,
      '.agentx/issues/1.json',
      JSON.stringify(
        anIssue({
          number: 1,
          title: LONG,
          body: MEGABYTE,
          labels: [LONG],
          comments: [{ author: LONG, body: LONG, created: '2026-02-26T10:00:00.000Z' }],
        }),
      ),
    );
    const part = {
      id: LONG.slice(0, 60),
      text: LONG,
      header: LONG,
      options: [{ id: 'a', label: LONG, description: LONG }],
    };
    put(
      cwd,
      '.agentx/state/questions/oq-1.json',
      JSON.stringify(aQuestion({ id: 'oq-1', issueNumber: 1, projectId: LONG, sourceId: LONG, questions: [part] })),
    );
    for (const args of [...SCREENS, ['inbox', 'show', 'oq-1'], ['clarify', '--json'], ['inbox', '--json']]) {
      const shown = agentx(cwd, args);
      expectTame(shown, args.join(' '));
      expect(shown.status, `${args.join(' ')}: ${shown.stderr}`).toBe(0);
    }
  });

  it.each([
    [
      'a prototype key in a ledger',
      '.agentx/state/clarifications/issue-1.json',
      ledger({}).replace('"topic"', '"__proto__":{"isAdmin":true},"topic"'),
    ],
    [
      'a prototype for an agent',
      '.agentx/state/agent-status.json',
      '{"__proto__":{"status":"working","issue":1,"lastActivity":"2026-02-26T10:00:00.000Z"}}',
    ],
    ['a constructor for an agent', '.agentx/state/clarifications/issue-1.json', ledger({ from: 'constructor' })],
    ['escapes in an agent name', '.agentx/state/clarifications/issue-1.json', ledger({ to: HOSTILE })],
    ['a path for an id', '.agentx/state/clarifications/issue-1.json', ledger({ id: '../../../../owned' })],
    ['a hundred thousand brackets', '.agentx/issues/1.json', '['.repeat(100_000)],
    ['sessions in a list', '.agentx/state/orchestrator.json', '[]'],
    ['bytes of another kind', '.agentx/state/questions/oq-1.json', '\u0000\u001b[2J\u009b'],
    [
      'wrong types',
      '.agentx/issues/1.json',
      JSON.stringify({ ...anIssue({ number: 1 }), title: { toString: 1 }, labels: 'x' }),
    ],
  ])('with %s stop no command, and are never overwritten', async (what, name, content) => {
    const cwd = await aRepository({ issues: ISSUES });
    put(cwd, name, content);
    const before = filesBelow(cwd)[name];
    for (const args of [['clarify'], ['ready'], ['inbox'], ['state'], ['hook', 'start', 'tester', '1']]) {
      const result = agentx(cwd, args);
      expectTold(result, `${what}: ${args.join(' ')}`);
      // Only a command that needs this very file is stopped.
      const needsIt = args[0] === 'hook' || (args[0] === 'state' && name.endsWith('agent-status.json'));
      if (!needsIt) expect(result.status, `${what}: ${args.join(' ')}: ${result.stderr}`).toBe(0);
    }
    expect(readFileSync(join(cwd, name), 'utf8')).toBe(before);
  });
});

describe('hostile settings', () => {
  const escaped = JSON.stringify(HOSTILE);
  it.each([
    ['an unknown key', `${escaped} = 1`, 2],
    ['an agent', `[agents.${escaped}]\nrunner = "human"`, 2],
    ['a prototype for an agent', '[agents.__proto__]\nrunner = "human"', 2],
    ['a constructor for an agent', '[agents.constructor]\nrunner = "human"', 2],
    ['a runner', `[agents.architect]\nrunner = ${escaped}`, 2],
    ['a program', `[agents.architect]\nrunner = "command"\ncommand = [${escaped}, ${escaped}]`, 3],
    ['a NUL in a program', '[agents.architect]\nrunner = "command"\ncommand = ["no\\u0000de"]', 2],
    ['a script', `[agents.architect]\nrunner = "script"\nscript = ${escaped}`, 2],
    ['a syntax error', `[agents.architect\n${HOSTILE.replaceAll('\n', '')}`, 2],
  ])('with hostile text as %s are refused with their file, or are just names', async (what, config, exit) => {
    const cwd = await aRepository({ issues: ISSUES });
    writeFileSync(join(cwd, '.agentx/config.toml'), `[clarify]\nretry_seconds = 0\n${config}\n`);
    const before = filesBelow(cwd);
    const result = agentx(cwd, ASK);
    expectTold(result, what);
    expect(result.status, result.stderr).toBe(exit);
    if (exit !== 2) return;
    expect(result.stderr).toMatch(/config\.toml|script/);
    expect(filesBelow(cwd)).toEqual(before);
  });

  it.each([
    ['an unknown key', `${escaped} = 1`],
    ['an agent', `[[steps]]\nid = "build"\ntitle = "Build"\nagent = ${escaped}`],
    ['a step', `[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\nneeds = [${escaped}]`],
    ['an agent to ask', `[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\ncan_clarify = [${escaped}]`],
    ['a prototype key', '[[steps]]\nid = "build"\ntitle = "Build"\nagent = "engineer"\n__proto__ = { a = 1 }'],
  ])('of a workflow with hostile text as %s are refused with their file', async (what, steps) => {
    const cwd = await aRepository({ issues: ISSUES, config: '[agents.architect]\nrunner = "human"' });
    put(cwd, '.agentx/workflows/story.toml', `[workflow]\nname = "story"\n${steps}\n`);
    const before = filesBelow(cwd);
    const result = agentx(cwd, ASK);
    expectTold(result, what);
    expect(result.status, result.stderr).toBe(2);
    expect(result.stderr).toContain('.agentx/workflows/story.toml');
    expect(filesBelow(cwd)).toEqual(before);
  });
});

describe('settings that are no text of a person', () => {
  const links = (target: string) => (path: string) => symlinkSync(target, path);
  const shapes: readonly (readonly [string, (path: string) => void, string])[] = [
    ['a link to a device without an end', links('/dev/zero'), 'is no file'],
    ['a pipe to which nobody writes', (path) => execFileSync('mkfifo', [path]), 'is no file'],
    ['a link to nothing', links('/nowhere/at/all'), 'is a link to nothing'],
    ['in another encoding', (path) => writeFileSync(path, Buffer.from('# caf\xe9\n', 'latin1')), 'is no UTF-8 text'],
  ];
  /** In a process of its own, which is ended if it waits for what never comes. */
  const told = (cwd: string, args: readonly string[]) => {
    // What is not trusted yet is read for its hash.
    const env = agentxEnvironment({ AGENTX_TRUST: '' });
    const { status, stdout, stderr } = inOwnProcess({ cwd, args, env, input: '' });
    return { status, text: `${stdout}${stderr}` };
  };

  it.each(shapes)('are refused at once, and examined by the doctor: %s', async (_, make, problem) => {
    const cwd = await aRepository({ issues: ISSUES, config: '[agents.product-manager]\nrunner = "human"' });
    for (const [name, command] of [
      ['.agentx/workflows/story.toml', ['run', '1', '--no-wait']],
      ['.agentx/config.toml', ['issue']],
    ] as const) {
      const path = join(cwd, name);
      rmSync(path);
      make(path);
      expect(told(cwd, command), name).toEqual({ status: 2, text: expect.stringContaining(`${name} ${problem}.`) });
      const { status, text } = told(cwd, ['doctor']);
      expect(status).toBe(1);
      expect(text).toContain(`problem   ${name}\n  I${problem.replace(/^i/, 't i')}.\n`);
      expect(text).not.toContain('error:');
    }
  });

  it('are refused at once as the script of an agent, too', async () => {
    const cwd = await aRepository({ config: '[agents.tester]\nrunner = "script"\nscript = "/dev/zero"' });
    const { status, text } = told(cwd, ['doctor']);
    expect(status).toBe(1);
    expect(text).toContain('The script /dev/zero cannot be read: it is no file.');
  });
});

describe('artifacts that an agent is given to read', () => {
  it('are those of the repository: not what links, dots or private folders lead to', async () => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.md'), 'SECRET');
    const paths = [
      'docs/good.md',
      '../../etc/passwd',
      'docs/link.md',
      'linked/secret.md',
      '.git/config',
      '.agentx/state/token',
      '.env',
      'docs/../.git/config',
    ];
    const steps = paths.map(
      (path, index) =>
        `[[steps]]\nid = "s${index}"\ntitle = "S"\nagent = "product-manager"\noutput = ${JSON.stringify(path)}\n`,
    );
    const workflow = `[workflow]\nname = "story"\n${steps.join('')}[[steps]]\nid = "design"\ntitle = "D"\nagent = "architect"\nneeds = [${paths.map((_, index) => `"s${index}"`)}]\n[[steps]]\nid = "build"\ntitle = "B"\nagent = "engineer"\nneeds = ["design"]\ncan_clarify = ["architect"]\n`;
    const program = agentProgram(
      'reply({ answer: JSON.stringify(brief.artifacts.map(({ path, content }) => [path, content])) });',
    );
    const secret = Object.fromEntries(['.git/config', '.agentx/state/token', '.env'].map((name) => [name, 'SECRET']));
    const files = {
      'architect.mjs': program,
      '.agentx/workflows/story.toml': workflow,
      'docs/good.md': 'GOOD',
      ...secret,
    };
    const cwd = await aRepository({ issues: ISSUES, config: commandAgent('architect'), files });
    symlinkSync(join(outside, 'secret.md'), join(cwd, 'docs/link.md'));
    symlinkSync(outside, join(cwd, 'linked'));
    const { answer } = JSON.parse(agentx(cwd, [...ASK, '--json']).stdout);
    expect(JSON.parse(answer)).toEqual([['docs/good.md', 'GOOD']]);
    const briefs = readFileSync(join(cwd, '.agentx/state/clarifications/issue-1.json'), 'utf8');
    expect(briefs).not.toContain('SECRET');
  });
});

it.each([[[]], [['--quiet']]])(
  'a list of nothing but files that cannot be read is not called empty %j',
  async (options: string[]) => {
    const cwd = await aRepository({ issues: ISSUES });
    put(cwd, '.agentx/issues/1.json', '{');
    put(cwd, '.agentx/state/questions/oq-1a2b3c4d5e6f7a8b.json', '{');
    put(cwd, '.agentx/state/clarifications/issue-1.json', '{');
    put(cwd, '.agentx/state/assumptions/issue-1.json', '{');
    const lists = [
      'inbox',
      'inbox --all',
      'clarify',
      'clarify --all',
      'clarify graph',
      'clarify stale',
      'ready',
      'issue',
    ];
    for (const line of [...lists, 'assumptions']) {
      const { stdout } = agentx(cwd, [...line.split(' '), ...options]);
      expect.soft(stdout, line).toBe('Nothing in what could be read, and not everything could. See: agentx doctor\n');
    }
  },
);
