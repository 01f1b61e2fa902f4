import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anAnswerBrief, aWorkBrief } from '../../test/builders/brief.js';
import { isAlive } from '../../test/support/is-alive.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import type { Brief } from '../protocol/brief.js';
import { AgentXError } from '../protocol/errors.js';
import { type CommandRunnerOptions, commandRunner } from './command.js';

const env = { PATH: process.env.PATH, SECRET: 'hunter2' };

describe('the command runner', () => {
  it('gives the brief to the program and takes its text for the reply [US-6.2/14]', async () => {
    const program =
      'process.stdin.on("data", (d) => process.stdout.write(JSON.parse(d).clarification.question + " Yes."))';
    expect(await runNode(program)).toEqual({ text: 'SQLite or PostgreSQL? Yes.' });
  });

  it('takes a JSON object for the reply itself [US-6.2/14]', async () => {
    const program = 'console.log(JSON.stringify({ status: "done", text: "Built." }))';
    expect(await runNode(program, { brief: aWorkBrief() })).toEqual({ status: 'done', text: 'Built.' });
  });

  it('tells the program the folder, the agent and the issue', async () => {
    const program = 'const e = process.env; console.log(e.AGENTX_ROOT, e.AGENTX_AGENT, e.AGENTX_ISSUE, process.cwd())';
    const cwd = temporaryFolder();
    expect(await runNode(program, { cwd, root: '/repo/.agentx' })).toEqual({
      text: `/repo/.agentx architect 42 ${cwd}`,
    });
  });

  it('keeps no key that the program prints on stderr, or prints when it fails', async () => {
    const key = 'secret-key-0123456789';
    const cwd = temporaryFolder();
    const options = { cwd, root: cwd, env: { ...env, OPENAI_API_KEY: key } };
    const kept: string[] = [];
    const command = ['sh', '-c', 'env >&2; echo "{}"'];
    await commandRunner({ ...options, command }).run(aWorkBrief(), { onStderr: (text) => void kept.push(text) });
    expect(kept.join()).toContain('OPENAI_API_KEY=');
    expect(kept.join()).not.toContain(key);
    for (const failing of ['echo $OPENAI_API_KEY >&2; exit 1', 'echo $OPENAI_API_KEY; exit 1']) {
      const error = await commandRunner({ ...options, command: ['sh', '-c', failing] })
        .run(aWorkBrief())
        .catch((thrown: unknown) => thrown);
      expect(String(error)).toContain('exited with code 1');
      expect(String(error)).not.toContain(key);
    }
  });

  it('ends a program whose caller no longer waits, with its children', async () => {
    const cwd = temporaryFolder();
    const stop = new AbortController();
    const command = ['sh', '-c', 'sh -c "echo $$ > child; sleep 1000" & wait'];
    const turn = commandRunner({ command, cwd, root: cwd, env }).run(aWorkBrief(), { signal: stop.signal });
    const file = join(cwd, 'child');
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    stop.abort();
    await expect(turn).rejects.toMatchObject({
      code: 'AGENT_ERROR',
      message: expect.stringContaining('its caller no longer waits'),
    });
    expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow();
  });

  it('passes a brief of many megabytes whole', async () => {
    const program = 'let n = 0; process.stdin.on("data", (d) => { n += d.length }).on("end", () => console.log(n))';
    const brief = anAnswerBrief({}, { prompt: 'x'.repeat(5_000_000) });
    expect(await runNode(program, { brief })).toEqual({ text: String(JSON.stringify(brief).length) });
  });

  it('starts no shell', async () => {
    const program = 'console.log(process.argv[1])';
    const command = [process.execPath, '-e', program, '$(touch owned); `touch owned` > owned'];
    const cwd = temporaryFolder();
    expect(await run(command, { cwd })).toEqual({ text: '$(touch owned); `touch owned` > owned' });
    expect(existsSync(join(cwd, 'owned'))).toBe(false);
  });

  it('finds a program by a path from the repository', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'agent.sh'), '#!/bin/sh\necho here\n', { mode: 0o755 });
    expect(await run(['./agent.sh'], { cwd })).toEqual({ text: 'here' });
  });

  it('takes silence for an empty reply', async () => {
    expect(await runNode('')).toEqual({});
  });

  it('does not mind a program that leaves its brief unread', async () => {
    const brief = anAnswerBrief({}, { prompt: 'x'.repeat(5_000_000) });
    expect(await runNode('console.log("ok"); process.stdin.destroy()', { brief })).toEqual({ text: 'ok' });
  });

  it('fails with what the program said on stderr when it exits with a code [CL-3/5] [US-6.2/14]', async () => {
    const error = await failureOf(runNode('console.log("{}"); console.error("no\\u001b[2J key"); process.exit(3)'));
    expect(error.code).toBe('AGENT_ERROR');
    expect(error.message).toBe(`Agent 'architect' failed: ${process.execPath} exited with code 3.\nno key`);
  });

  it('shows what the program said on stdout if stderr is empty', async () => {
    expect((await failureOf(run(['sh', '-c', 'echo sorry; exit 1']))).message).toContain('exited with code 1.\nsorry');
  });

  it('fails when the program is ended by a signal', async () => {
    expect((await failureOf(run(['sh', '-c', 'kill -9 $$']))).message).toContain('was ended by SIGKILL');
  });

  it.each([
    ['a program that is not there', ['no-such-program'], 'there is no such program'],
    ['a program that may not be executed', ['/dev/null'], 'it may not be executed'],
    ['a word that no program can get', ['node', 'a\0b'], 'ERR_INVALID_ARG_VALUE'],
    ['no program', [''], 'could not start'],
  ])('fails on %s', async (_, command, why) => {
    const error = await failureOf(run(command));
    expect(error.code).toBe('AGENT_ERROR');
    expect(error.message).toContain(why);
  });

  it('fails on a folder that is not there', async () => {
    expect((await failureOf(runNode('', { cwd: '/no/such/folder' }))).message).toContain('/no/such/folder');
  });

  it('never tells the environment', async () => {
    const failures = [run(['no-such-program']), runNode('process.exit(1)'), runNode('console.log("{")')];
    for (const failure of failures) {
      await failure.then(
        () => {},
        (error) => expect(`${JSON.stringify(error)} ${error.stack}`).not.toContain('hunter2'),
      );
    }
  });

  it.each(['{"answer": ', '{"status": "finished"}', '{"text": "A", "__proto__": {}}'])(
    'refuses %s as a reply',
    async (stdout) => {
      const program = `console.log(${JSON.stringify(`${stdout}}`)})`;
      const error = await failureOf(runNode(program));
      expect(error.code).toBe('AGENT_ERROR');
      expect(error.message).toContain("Agent 'architect' gave a reply that is not what it claims to be");
    },
  );

  it('hands hostile text on as text', async () => {
    const text = '\u001b]0;owned\u0007 $(rm -rf /) ../../etc/passwd <script> \u202e';
    expect(await runNode(`process.stdout.write(${JSON.stringify(text)})`)).toEqual({ text });
  });
});

describe('a program that says too much', () => {
  it('is cut with a note', async () => {
    const { text = '' } = await runNode('process.stdout.write("x".repeat(9_000_000))');
    expect(text).toMatch(/^x{1048576}\n\n\[cut here: the output went on beyond 1 MiB\]$/);
  });

  it('fails if it asks at the end, where nothing is kept', async () => {
    const reply = JSON.stringify({ clarify: [{ to: 'architect', topic: 'Adapter', question: 'Which?' }] });
    const program = `process.stdout.write("Well. ".repeat(400_000) + ${JSON.stringify(`\n\n${reply}\n`)})`;
    expect((await failureOf(runNode(program))).message).toContain('cut off after 1 MiB');
  });

  it('fails if the reply claims to be JSON', async () => {
    const program = 'process.stdout.write(JSON.stringify({ text: "x".repeat(2_000_000) }))';
    expect((await failureOf(runNode(program))).message).toContain('cut off after 1 MiB');
  });

  it('fails briefly however much it complains', async () => {
    const error = await failureOf(runNode('console.error("no\\n".repeat(2_000_000)); process.exitCode = 1'));
    expect(error.message.split('\n').length).toBeLessThan(15);
  });

  it('fails with the error at the end of a long complaint', async () => {
    const program = 'yes step | head -n 100000 >&2; echo the disk is full >&2; exit 1';
    expect((await failureOf(run(['sh', '-c', program]))).message).toContain('the disk is full');
  });

  it('is given as it stands up to the limit', async () => {
    expect((await runNode('process.stdout.write("x".repeat(1024 * 1024))')).text).toHaveLength(1024 * 1024);
  });
});

describe('a program that takes too long', () => {
  it('is killed together with its children [US-6.2/15]', async () => {
    const cwd = temporaryFolder();
    const script = 'sleep 1000 & echo $! > child; echo working >&2; echo $$ > leader; wait';
    const error = await failureOf(run(['sh', '-c', script], { cwd, timeoutSeconds: 1 }));
    expect(error.code).toBe('AGENT_ERROR');
    expect(error.message).toBe(
      "Agent 'architect' failed: sh took longer than 1 s and was ended, with its children.\nworking",
    );
    await expectGone(pidIn(cwd, 'leader'), pidIn(cwd, 'child'));
  });

  it('is killed even if it and its children do not listen', async () => {
    const cwd = temporaryFolder();
    const script = 'trap "" TERM; (trap "" TERM; echo $$ > leader; while :; do sleep 1; done) & echo $! > child; wait';
    await failureOf(run(['sh', '-c', script], { cwd, timeoutSeconds: 1 }));
    await expectGone(pidIn(cwd, 'leader'), pidIn(cwd, 'child'));
  });
});

describe('children that outlive their program', () => {
  it('do not hold up the turn by keeping its output open, and are ended', async () => {
    const cwd = temporaryFolder();
    expect(await run(['sh', '-c', 'sleep 1000 & echo $! > child; echo done'], { cwd })).toEqual({ text: 'done' });
    await expectGone(pidIn(cwd, 'child'));
  });

  it('do not hold up the turn from a process group of their own', async () => {
    const cwd = temporaryFolder();
    const program = `
      const child = require('node:child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' });
      child.unref();
      require('node:fs').writeFileSync('child', String(child.pid));
      console.log('done');`;
    expect(await runNode(program, { cwd })).toEqual({ text: 'done' });
    expect(isAlive(pidIn(cwd, 'child'))).toBe(true);
    process.kill(pidIn(cwd, 'child'), 'SIGKILL');
  });

  it('may go on if they let go of its output', async () => {
    const cwd = temporaryFolder();
    await run(['sh', '-c', 'sleep 1000 > /dev/null 2>&1 & echo $! > child'], { cwd });
    expect(isAlive(pidIn(cwd, 'child'))).toBe(true);
    process.kill(pidIn(cwd, 'child'), 'SIGKILL');
  });
});

interface RunOptions extends Partial<CommandRunnerOptions> {
  readonly brief?: Brief;
}

function run(command: readonly string[], { brief = anAnswerBrief(), ...options }: RunOptions = {}) {
  return commandRunner({ command, cwd: options.cwd ?? '/', root: '/', env, timeoutSeconds: 30, ...options }).run(brief);
}

function runNode(program: string, options?: RunOptions) {
  return run([process.execPath, '-e', program], options);
}

async function failureOf(attempt: Promise<unknown>): Promise<AgentXError> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof AgentXError) return error;
    throw error;
  }
  throw new Error('Nothing failed.');
}

function pidIn(folder: string, file: string): number {
  return Number(readFileSync(join(folder, file), 'utf8'));
}

async function expectGone(...pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
}
