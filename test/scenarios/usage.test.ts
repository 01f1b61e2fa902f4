import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type AgentxResult, agentx, agentxCommand, agentxEnvironment, aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';

/** Every command with one word more than it takes. */
const TOO_MANY: readonly (readonly string[])[] = [
  ['init', 'extra'],
  ['trust', 'extra'],
  ['issue', 'create', 'Title', 'extra'],
  ['issue', 'list', 'extra'],
  ['issue', 'show', '1', 'extra'],
  ['issue', 'comment', '1', '-b', 'text', 'extra'],
  ['issue', 'close', '1', 'extra'],
  ['issue', 'reopen', '1', 'extra'],
  ['ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'X', '-q', 'Y', 'extra'],
  ['clarify', 'show', 'CLR-1-001', 'extra'],
  ['clarify', 'stale', 'extra'],
  ['clarify', 'follow-up', 'CLR-1-001', '-q', 'text', 'extra'],
  ['clarify', 'answer', 'CLR-1-001', '-m', 'text', 'extra'],
  ['clarify', 'resolve', 'CLR-1-001', '-m', 'text', 'extra'],
  ['clarify', 'escalate', 'CLR-1-001', '-m', 'text', 'extra'],
  ['clarify', 'graph', 'extra'],
  ['inbox', 'show', 'oq-1a2b3c4d', 'extra'],
  ['inbox', 'answer', 'oq-1a2b3c4d', '-m', 'text', 'extra'],
  ['inbox', 'decline', 'oq-1a2b3c4d', 'extra'],
  ['inbox', 'dismiss', 'oq-1a2b3c4d', 'extra'],
  ['ready', 'extra'],
  ['state', 'set', 'engineer', 'idle', 'extra'],
  ['hook', 'start', 'engineer', '1', 'extra'],
  ['hook', 'finish', 'engineer', '1', 'extra'],
  ['completion', 'bash', 'extra'],
  ['demo', 'extra'],
];

describe('help', () => {
  const cache = new Map<string, AgentxResult>();
  const helpOf = (path: readonly string[]): AgentxResult => {
    const key = path.join(' ');
    const help = cache.get(key) ?? agentx('.', [...path, '--help']);
    cache.set(key, help);
    return help;
  };
  const commands = (path: readonly string[]): readonly string[] => {
    const { stdout } = helpOf(path);
    const [, list = ''] = stdout.split('\nCommands:\n');
    return [...(list.split('\n\n')[0] ?? '').matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);
  };

  it('is ASCII, and fits a terminal of 80 columns, for every command and verb [CL-1/15]', () => {
    const nouns = commands([]).filter((name) => name !== 'help');
    const verbs = nouns.flatMap((noun) => commands([noun]).map((verb) => [noun, verb]));
    for (const path of [[], ...nouns.map((noun) => [noun]), ...verbs]) {
      const { status, stdout } = helpOf(path);
      expect({ status, stdout }, path.join(' ')).toEqual({
        status: 0,
        stdout: expect.stringMatching(/^[ -~\n]+$/),
      });
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('takes the global options anywhere, too, and pages that are named like a command by their file', () => {
    const page = agentx('.', ['help', 'configuration']).stdout;
    expect(page).toMatch(/^# Configuration\n/);
    expect(agentx('.', ['help', 'configuration', '--quiet']).stdout).toBe(page);
    expect(agentx('.', ['help', '--json', 'configuration.md']).stdout).toBe(page);
    for (const name of ['notify', 'memory', 'inbox', 'mcp', 'doctor', 'digest']) {
      const { stdout, stderr } = agentx('.', ['help', name]);
      expect(stdout).toBe(helpOf([name]).stdout);
      const [, hint = ''] = /: agentx (.*)\n$/.exec(stderr) ?? [];
      expect(agentx('.', hint.split(' ')).stdout, hint).toMatch(/^# /);
    }
    expect(helpOf(['notify']).stdout).toContain('agentx help notify.md');
    expect(agentx('.', ['help', 'nothing.md', '--json']).status).toBe(2);
  });

  it('teaches by example and says what exit codes mean, for every command and verb', () => {
    const nouns = commands([]).filter((name) => name !== 'help');
    const verbs = nouns.flatMap((noun) => commands([noun]).map((verb) => [noun, verb]));
    for (const path of [...nouns.map((noun) => [noun]), ...verbs]) {
      const { stdout } = helpOf(path);
      expect(stdout, path.join(' ')).toMatch(new RegExp(`\\nExamples?:\\n(?:  .*\\n)*?  .*agentx ${path.join(' ')}`));
      expect(stdout, path.join(' ')).toMatch(/\nExit codes: 0 /);
    }
  });

  it('of all says every exit code; the version is said wherever it is asked for', () => {
    expect(helpOf([]).stdout).toMatch(/\nExit codes:\n(?: +\d+ .*\n)+/);
    const { version }: { version: string } = JSON.parse(readFileSync(resolve('package.json'), 'utf8'));
    for (const args of [['--version'], ['-V'], ['--quiet', '--version']]) {
      expect(agentx('.', args)).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    }
  });

  it('and the documentation know the same commands and verbs [CL-1/8]', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/command-line.md'), 'utf8');
    const rows = new Map([...page.matchAll(/^\| `(\S+)` .*$/gm)].map(([row, name = '']) => [name, row]));
    const nouns = commands([]).filter((name) => name !== 'help');
    expect([...rows.keys()].sort()).toEqual(nouns.toSorted());
    const untold = nouns.flatMap((noun) =>
      commands([noun])
        .filter((verb) => !new RegExp(`\`(?:${noun} )?${verb}\\b`).test(rows.get(noun) ?? ''))
        .map((verb) => `${noun} ${verb}`),
    );
    expect(untold).toEqual([]);
  });
});

describe('a command line that says too much', () => {
  it.each(TOO_MANY)('is refused with a sentence: %j', async (...args) => {
    const cwd = await aRepository({ issues: [{ title: 'Login' }] });
    const { status, stdout, stderr } = agentx(cwd, args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: Too many arguments for '\S+'\. Expected .* but got \d\. See: agentx .* --help\n$/);
    expect(agentx(cwd, [...args, '--json']).json()).toMatchObject({ error: { code: 'INVALID_INPUT' } });
    expect(await storeOf(cwd).issues.read(1)).toMatchObject({ state: 'open', comments: [] });
  });
});

describe('a verb that a noun does not know', () => {
  it.each([
    [
      ['clarify', 'reslove', 'CLR-1-001', '-m', 'text'],
      "There is no 'agentx clarify reslove'. Did you mean 'resolve'?",
    ],
    [['inbox', 'anwser', 'oq-1a2b3c4d', '--option', 'a'], "There is no 'agentx inbox anwser'. Did you mean 'answer'?"],
    [['issue', 'crate', '-t', 'x'], "There is no 'agentx issue crate'. Did you mean 'create'?"],
    [['state', 'get', 'engineer'], "There is no 'agentx state get'. Did you mean 'set'?"],
    [['hook', 'begin', 'engineer'], "There is no 'agentx hook begin'. Allowed: start, finish."],
    [['clarify', '--isue', '42'], "'agentx clarify' has no option '--isue'. Did you mean '--issue'?"],
    [['inbox', '--al'], "'agentx inbox' has no option '--al'. Did you mean '--all'?"],
  ])('is named, with what was meant: %j', async (args, sentence) => {
    const { status, stdout, stderr } = agentx(await aRepository(), args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).toContain(`See: agentx ${args[0]} --help`);
    expect(stderr).not.toContain('route');
  });

  it('is a command, too, and so are options of none', async () => {
    const cwd = await aRepository();
    expect(agentx(cwd, ['claryfi', '--all']).stderr).toContain("There is no 'agentx claryfi'. Did you mean 'clarify'?");
    expect(agentx(cwd, ['--jsn', 'clarify']).stderr).toContain(
      "'agentx' has no option '--jsn'. Did you mean '--json'?",
    );
    expect(agentx(cwd, ['--quiet'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'agentx' needs to know what to do."),
    });
    expect(agentx(cwd, []).stdout).toBe(agentx(cwd, ['--help']).stdout);
  });

  it('is missed where a noun does nothing by itself', async () => {
    const { status, stderr } = agentx(await aRepository(), ['hook']);
    expect(status).toBe(2);
    expect(stderr).toContain("'agentx hook' needs to know what to do. Allowed: start, finish.");
  });

  it.each([
    ['clarify show CLR-1-001 --bogus', "'agentx clarify show' has no option '--bogus'. Allowed: "],
    ['ready --jsn', "'agentx ready' has no option '--jsn'. Did you mean '--json'? Allowed: --no-retry, "],
    ['run 1 --workflw x', "'agentx run' has no option '--workflw'. Did you mean '--workflow'? Allowed: "],
    ['issue create X --lable a', "'agentx issue create' has no option '--lable'. Did you mean '--label'? Allowed: "],
  ])('%s is told what was probably meant, and where to look', async (line, problem) => {
    const words = line.split(' ');
    const { status, stderr } = agentx(await aRepository(), words);
    const command = problem.split("'")[1];
    expect(status).toBe(2);
    expect(stderr).toContain(`error: ${problem}`);
    expect(stderr).toMatch(new RegExp(` See: ${command} --help\n$`));
  });
});

it.skipIf(!existsSync('/dev/full'))('a disk that is full where stdout goes is told of in a sentence', async () => {
  const cwd = await aRepository({ issues: [{ title: 'Login' }] });
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$@" > /dev/full', ...agentxCommand, 'issue'], {
    cwd,
    env: agentxEnvironment(),
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: What was asked for could not be written to stdout: .*ENOSPC.*\n$/);
});

describe('a folder that was removed while a shell is in it', () => {
  it.each([['ready'], ['init'], ['inbox', '--json'], ['serve', '--port', '0']])('is told of: %j', (...args) => {
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"', ...agentxCommand, ...args],
      { cwd: temporaryFolder(), env: agentxEnvironment(), encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toContain('The folder in which you are is gone. Change to another one: cd');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('what is not there', () => {
  it.each([
    [['clarify', 'show', 'CLR-1-009'], 'agentx clarify --all'],
    [['clarify', 'answer', 'CLR-1-009', '-m', 'x'], 'agentx clarify --all'],
    [['clarify', 'follow-up', 'CLR-1-009', '-q', 'x'], 'agentx clarify --all'],
    [['clarify', 'resolve', 'CLR-1-009', '-m', 'x'], 'agentx clarify --all'],
    [['clarify', 'escalate', 'CLR-1-009', '-m', 'x'], 'agentx clarify --all'],
    [['inbox', 'show', 'oq-00000009'], 'agentx inbox --all'],
    [['inbox', 'answer', 'oq-00000009', '-m', 'x'], 'agentx inbox --all'],
    [['inbox', 'decline', 'oq-00000009'], 'agentx inbox --all'],
    [['assumptions', 'confirm', 'ASM-1-009'], 'agentx assumptions'],
    [['issue', 'show', '9'], 'agentx issue list --all'],
    [['issue', 'comment', '9', '-b', 'x'], 'agentx issue list --all'],
    [['issue', 'close', '9'], 'agentx issue list --all'],
    [['run', '9'], 'agentx issue list --all'],
    [
      ['ask', '--issue', '9', '--from', 'engineer', '--to', 'architect', '--topic', 'X', '-q', 'Y'],
      'agentx issue list --all',
    ],
  ])('is answered with where to see what is: %j', async (args, list) => {
    const cwd = await aRepository({ issues: [{ title: 'Login' }] });
    const { status, stderr } = agentx(cwd, args);
    expect(status).toBe(4);
    expect(stderr).toMatch(new RegExp(`^error: .*\\. See what there is: ${list}\\n$`));
    expect(agentx(cwd, [...args, '--json']).json()).toMatchObject({
      error: { code: 'NOT_FOUND', message: expect.stringContaining(list) },
    });
  });
});
