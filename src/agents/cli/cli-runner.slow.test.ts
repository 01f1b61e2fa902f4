import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { anAnswerBrief, aWorkBrief } from '../../../test/builders/brief.js';
import { aHomeWithClis } from '../../../test/support/agent-clis.js';
import { isAlive } from '../../../test/support/is-alive.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import type { KeptTranscript, TurnOptions, TurnReport } from '../../ports/runner.js';
import type { AgentCliName } from '../../protocol/config.js';
import { AGENT_CLIS } from './agent-clis.js';
import { type CliRunnerOptions, cliRunner } from './cli-runner.js';

const NAMES = Object.values(AGENT_CLIS).map(({ name }) => name);

describe('the runner of an agent CLI', () => {
  it.each(NAMES)('%s: gives the prompt on stdin and takes the last message for the reply', async (name) => {
    const { run, fakes } = aRunner(name);
    const reply = await run({ brief: aWorkBrief({ prompt: 'Say "hi" to $HOME; `ls`' }) });
    expect(reply).toEqual({ status: 'done', text: 'All done.\n\nfinal' });
    const [start] = fakes.started();
    expect(start?.prompt).toMatch(/^Say "hi" to \$HOME; `ls`\n\n## Your tools\n/);
    expect(start?.prompt).toContain('request_clarification');
  });

  it.each(NAMES)('%s: goes on with its session in the next turn', async (name) => {
    const { run, fakes, kept } = aRunner(name);
    await run({ turn: 'run-42-1a2b3c4d/implement/1' });
    const first = kept();
    await run({ turn: 'run-42-1a2b3c4d/implement/2', transcript: first });
    const [, second] = fakes.started();
    expect(second?.prompt).toMatch(/^You go on with the work of this conversation/);
    expect(JSON.stringify(second?.args)).toContain(sessionIn(first));
    // A copy of a session is another one.
    expect(sessionIn(kept()) === sessionIn(first)).toBe(name !== 'continue');
  });

  it.each(NAMES)('%s: tells in which file the conversation is, with what was said on the way', async (name) => {
    const { run, fakes } = aRunner(name);
    fakes.tell({ transcript: ['We decided to keep it for 90 days.'] });
    const reports: TurnReport[] = [];
    await run({ onReport: (report) => void reports.push(report) });
    expect(readFileSync(reports[0]?.transcriptFile ?? '', 'utf8')).toContain('We decided to keep it for 90 days.');
  });

  it('opencode: keeps what it printed before it was ended, without keys, and adds to it when it goes on', async () => {
    const key = 'sk-live-abcdefghijklmnop0123456789';
    const { run, fakes, kept } = aRunner('opencode', {}, { OPENAI_API_KEY: key });
    fakes.tell({ transcript: [`The key is ${key}.`], print: '', until: 'never' });
    const ending = new AbortController();
    const first = run({ signal: ending.signal });
    await until(() => sessionIn(kept()) !== 'undefined');
    ending.abort();
    await expect(first).rejects.toThrow();
    fakes.tell({ transcript: ['We go on.'] });
    const reports: TurnReport[] = [];
    await run({ transcript: kept(), onReport: (report) => void reports.push(report) });
    const text = readFileSync(reports[0]?.transcriptFile ?? '', 'utf8');
    expect(text).toMatch(/The key is [\s\S]*We go on\./);
    expect(text).not.toContain(key);
  });

  it('fails with the reason if its session cannot be kept, and ends nothing else', async () => {
    const { run } = aRunner('codex');
    const keep = async ({ state }: KeptTranscript) => {
      if (sessionIn({ format: '', state }) !== 'undefined') throw new Error('the disk is full');
    };
    await expect(run({ keep })).rejects.toThrow('the disk is full');
  });

  it('opencode: answers where what it prints cannot be kept', async () => {
    const { run, repository } = aRunner('opencode');
    mkdirSync(join(repository, '.agentx', 'state'));
    writeFileSync(join(repository, '.agentx', 'state', 'transcripts'), 'no folder');
    expect(await run()).toEqual({ status: 'done', text: 'All done.\n\nfinal' });
  });

  it('continue: takes only the session that holds its prompt, in its folder, and its tokens', async () => {
    const { run, fakes, kept } = aRunner('continue');
    const other = join(fakes.home, '.continue', 'sessions', 'other.json');
    fakes.tell({ shell: `mkdir -p "$HOME/.continue/sessions"; echo '{"history":[]}' > "${other}"` });
    await run();
    await until(() => existsSync(other));
    await run({ transcript: kept() });
    expect(sessionIn(kept())).toMatch(/^[0-9a-f-]{36}$/);
    // Each copy counts its own; what its model costs is not known.
    expect(kept().usage).toMatchObject({ inputTokens: 800, outputTokens: 80, cost: 0, unpricedTokens: 880 });
  });

  it('begins anew if the session is gone, and ignores what another runner kept', async () => {
    const { run, fakes } = aRunner('claude');
    await run({ transcript: { format: 'claude/1', state: { session: 'lost' } } });
    expect(fakes.started().map(({ args }) => args.includes('--resume'))).toEqual([true, false]);
    await run({ transcript: { format: 'model/1', state: { session: 'x' } } });
    expect(fakes.started()).toHaveLength(3);
  });

  it.each([
    [
      'claude',
      '{"type":"system","subtype":"init","session_id":"ID"}\n{"type":"result","is_error":true,"result":"busy"}',
    ],
    ['codex', '{"type":"thread.started","thread_id":"ID"}\n{"type":"turn.failed","error":{"message":"busy"}}'],
    ['gemini', '{"type":"init","session_id":"ID"}\n{"type":"result","status":"error","error":{"message":"busy"}}'],
  ] as const)('%s: keeps a session that it has opened, though its model did not answer', async (name, print) => {
    const { run, fakes, kept } = aRunner(name);
    await run();
    const session = sessionIn(kept());
    fakes.tell({ print: `${print.replace('ID', session)}\n`, exit: 1 });
    await expect(run({ transcript: kept() })).rejects.toThrow('busy');
    expect(fakes.started()).toHaveLength(2);
    expect(sessionIn(kept())).toBe(session);
  });

  it('reports what the program changed, as git sees it, and nothing else', async () => {
    const { run, fakes, repository } = aRunner('codex');
    writeFileSync(join(repository, 'mine.txt'), 'before');
    fakes.tell({
      write: { 'src/a.ts': 'a', 'kept.txt': 'changed', 'ignored/x': 'x', '.agentx/state/y': 'y', '-odd name.txt': '' },
      shell: 'rm -f gone.txt',
    });
    const reports: TurnReport[] = [];
    await run({ onReport: (report) => void reports.push(report) });
    expect(reports[0]?.changed).toEqual(['-odd name.txt', 'gone.txt', 'kept.txt', 'src/a.ts']);
  });

  it('knows what was changed in a turn that was killed, and in one that failed', async () => {
    const { run, fakes, kept } = aRunner('claude');
    fakes.tell({ write: { 'half.txt': '1' }, print: '{"type":"result","is_error":true,"result":"no key"}\n', exit: 1 });
    await expect(run({ turn: 'r/implement/1' })).rejects.toThrow('no key');
    fakes.tell({ write: { 'rest.txt': '2' } });
    const reports: TurnReport[] = [];
    await run({ turn: 'r/implement/2', transcript: kept(), onReport: (report) => void reports.push(report) });
    expect(reports[0]?.changed).toEqual(['half.txt', 'rest.txt']);
    fakes.tell({});
    await run({ turn: 'r/implement/3', transcript: kept(), onReport: (report) => void reports.push(report) });
    expect(reports[1]?.changed).toEqual([]);
  });

  it('lets an agent that answers change nothing, whatever its permission', async () => {
    const { run, fakes } = aRunner('claude', { permission: 'full' });
    expect(await run({ brief: anAnswerBrief() })).toMatchObject({ text: expect.any(String) });
    expect(fakes.started()[0]?.args).toContain('--disallowedTools');
    expect(fakes.started()[0]?.prompt).toContain('Change no file for it.');
  });

  it('reports what was not allowed', async () => {
    const reports: TurnReport[] = [];
    await aRunner('qwen').run({ onReport: (report) => void reports.push(report) });
    expect(reports[0]?.denied).toEqual([
      'qwen was not allowed: run_shell_command: touch shell.txt (its permission is "edit")',
    ]);
  });

  it.each([
    [
      'a failure it tells',
      { print: '{"type":"result","is_error":true,"result":"Invalid API key"}\n' },
      /claude failed\. If claude is not set up here: .* set ANTHROPIC_API_KEY\.\nInvalid API key/,
    ],
    [
      'half a stream, though it exits with 0',
      { print: '{"type":"assistant","message":{}}\n' },
      /claude ended without an answer/,
    ],
    [
      'an exit code',
      { print: '', exit: 3, stderr: 'no\u001b[2J login' },
      /claude exited with code 3\. If claude is not set up here: .*\nno login/,
    ],
    ['another reply than it claims', { answer: '{"clarify": 7}' }, /gave a reply that is not what it claims to be/],
  ])('fails with %s', async (_, task, expected) => {
    const { run, fakes } = aRunner('claude');
    fakes.tell(task);
    await expect(run()).rejects.toThrow(expected);
  });

  it.each([
    [
      'an exit code',
      { print: 'Half an ans', exit: 1, stderr: 'no credit' },
      /continue exited with code 1\.\nno credit/,
    ],
    ['more than a mebibyte', { print: `{"response":"${'x'.repeat(2 ** 20)}"}` }, /its answer is cut off after 1 MiB/],
  ])('continue: what it printed is no answer with %s', async (_, task, expected) => {
    const { run, fakes } = aRunner('continue');
    fakes.tell(task);
    await expect(run()).rejects.toThrow(expected);
  });

  it('continue: what it had printed at the timeout is no answer', async () => {
    const { run, fakes } = aRunner('continue', { timeoutSeconds: 2 });
    writeFileSync(join(fakes.home, 'bin', 'cn'), '#!/bin/sh\necho "Half an ans"\nsleep 100\n', { mode: 0o755 });
    await expect(run()).rejects.toThrow('continue took longer than 2 s and was ended, with its children.');
  });

  it('keeps no key that it prints on stderr, or when it fails', async () => {
    const key = 'secret-key-0123456789';
    const { run, fakes } = aRunner('claude', {}, { ANTHROPIC_API_KEY: key });
    fakes.tell({ print: '', exit: 3, stderr: `bad key ${key}` });
    const kept: string[] = [];
    const error = await run({ onStderr: (text) => void kept.push(text) }).catch((thrown: unknown) => String(thrown));
    expect(error).toContain('bad key');
    expect(`${error}${kept.join()}`).not.toContain(key);
    fakes.tell({ print: `{"type":"result","is_error":true,"result":"bad key ${key}"}\n` });
    expect(String(await run().catch((thrown: unknown) => thrown))).not.toContain(key);
  });

  it('says what to do about a model that the CLI does not have', async () => {
    const { run, fakes } = aRunner('opencode', { model: 'wire/nope' });
    fakes.tell({ print: '{"type":"error","error":{"data":{"message":"Unexpected server error."}}}\n' });
    await expect(run()).rejects.toThrow(
      'run opencode auth login. If it has no model "wire/nope": change it in .agentx/config.toml.\nUnexpected server error.',
    );
  });

  it('trusts the last event, not the exit code', async () => {
    const { run, fakes } = aRunner('claude');
    fakes.tell({ exit: 143 });
    expect(await run()).toMatchObject({ status: 'done' });
  });

  it('ends it at the timeout with its children, and quotes what it tried last', async () => {
    const { run, fakes } = aRunner('claude', { timeoutSeconds: 2 });
    const retry = '{"type":"system","subtype":"api_retry","attempt":6,"max_retries":10,"error_status":500}';
    writeFileSync(join(fakes.home, 'bin', 'claude'), `#!/bin/sh\necho '${retry}'\nsleep 100\n`, { mode: 0o755 });
    const ended = run();
    await expect(ended).rejects.toThrow(
      /claude took longer than 2 s and was ended, with its children\..*\nthe model answered with status 500/,
    );
  });

  it('reads streams of any length, and leaves out lines that are far too long', async () => {
    const { run, fakes } = aRunner('claude');
    const noise = `{"type":"user","message":"${'x'.repeat(100_000)}"}\n`.repeat(60);
    const last = '{"type":"result","is_error":false,"result":"Answer."}\n';
    fakes.tell({ print: `${noise}${'y'.repeat(9_000_000)}\n${last}` });
    expect(await run()).toEqual({ text: 'Answer.' });
  });

  it('leaves nothing behind: no folder of the turn, no file in the repository', async () => {
    const { run, repository, fakes } = aRunner('continue');
    await run();
    expect(readdirSync(repository).sort()).toEqual(['.agentx', '.git', '.gitignore', 'gone.txt', 'kept.txt']);
    const { args = [] } = fakes.started()[0] ?? {};
    const config = args[args.indexOf('--config') + 1] ?? '';
    expect(config).toContain('agentx-turn-');
    expect(existsSync(dirname(config))).toBe(false);
  });

  it('ends even if the process that started it is killed', async () => {
    const { fakes, repository } = aRunner('claude');
    fakes.tell({ until: 'never', shell: 'echo $PPID > "$HOME/pid"' });
    const folder = temporaryFolder();
    const file = join(folder, 'caller.mjs');
    buildSync({
      stdin: {
        contents: `import { runProgram } from './program.js';
          await runProgram({ command: ['claude'], cwd: ${JSON.stringify(repository)}, env: ${JSON.stringify(fakes.env)},
            input: 'hi', timeoutSeconds: 100, isTied: true });`,
        resolveDir: join(import.meta.dirname, '..'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: file,
    });
    const caller = spawn(process.execPath, [file], { stdio: 'ignore' });
    const pid = join(fakes.home, 'pid');
    await until(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
    caller.kill('SIGKILL');
    await once(caller, 'exit');
    await until(() => !isAlive(Number(readFileSync(pid, 'utf8'))));
  });
});

function sessionIn({ state }: KeptTranscript): string {
  return String(Object.entries(Object(state)).find(([key]) => key === 'session')?.[1]);
}

function aRunner(
  name: AgentCliName,
  options: Partial<CliRunnerOptions> = {},
  variables: Readonly<Record<string, string>> = {},
) {
  const fakes = aHomeWithClis();
  const repository = temporaryFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: repository,
      stdio: 'ignore',
    });
  git('init');
  writeFileSync(join(repository, '.gitignore'), 'ignored/\n');
  mkdirSync(join(repository, '.agentx'));
  for (const file of ['kept.txt', 'gone.txt']) writeFileSync(join(repository, file), 'as it was');
  git('add', '.');
  git('commit', '-m', 'first');
  mkdirSync(join(fakes.home, '.gemini'), { recursive: true });
  let transcript: KeptTranscript = { format: '', state: {} };
  const runner = cliRunner({
    cli: AGENT_CLIS[name],
    placeOf: async () => repository,
    root: join(repository, '.agentx'),
    agentx: ['agentx'],
    permission: 'edit',
    args: [],
    env: { ...fakes.env, ...variables },
    ...options,
  });
  const keep = async (kept: KeptTranscript) => {
    transcript = kept;
  };
  const run = ({
    brief = aWorkBrief(),
    ...turn
  }: TurnOptions & { readonly brief?: ReturnType<typeof aWorkBrief> } = {}) =>
    runner.run(brief, { turn: 'run-42-1a2b3c4d/implement/1', keep, ...turn });
  return { run, fakes, repository, kept: () => transcript };
}
