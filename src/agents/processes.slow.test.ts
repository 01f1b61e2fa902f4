import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../test/support/is-alive.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import { openTrust } from './trust.js';

describe('a program whose caller goes away', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with it on %s', async (signal) => {
    const { caller, programPid } = await aCallerWithAProgram('');
    caller.kill(signal);
    expect(await once(caller, 'exit')).toEqual([null, signal]);
    await expectGone(programPid);
  });

  it('ends when its caller exits by itself, and leaves the signals to those who listen', async () => {
    const { caller, programPid } = await aCallerWithAProgram(
      'process.on("SIGINT", () => setTimeout(process.exit, 50, 7));',
    );
    caller.kill('SIGINT');
    expect(await once(caller, 'exit')).toEqual([7, null]);
    await expectGone(programPid);
  });

  async function aCallerWithAProgram(before: string) {
    const folder = temporaryFolder();
    const caller = start(
      folder,
      `import { runProgram } from './program.js';
       ${before}
       await runProgram({ command: ['sh', '-c', 'echo $$ > pid; sleep 1000; :'], cwd: ${JSON.stringify(folder)},
         env: process.env, input: '', timeoutSeconds: 100 }).catch(() => {});
       await new Promise((resolve) => setTimeout(resolve, 1000));`,
    );
    const file = join(folder, 'pid');
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    return { caller, programPid: Number(readFileSync(file, 'utf8')) };
  }
});

describe('processes that approve at once', () => {
  it('lose nothing', async () => {
    const home = temporaryFolder();
    const config = { agents: { architect: { runner: 'command', command: ['true'] } } };
    const callers = Array.from({ length: 4 }, (_, caller) => {
      const repositories = Array.from({ length: 10 }, (_, index) => join(home, `repository-${caller}-${index}`));
      for (const repository of repositories) mkdirSync(repository);
      const child = start(
        home,
        `import { openTrust } from './trust.js';
         import { FileLockManager } from '../storage/files/json-file-lock.js';
         for (const repository of ${JSON.stringify(repositories)}) {
           const trust = openTrust({ repository, env: { HOME: ${JSON.stringify(home)} } });
           await trust.approve(${JSON.stringify(config)}, new FileLockManager());
         }`,
      );
      return { repositories, exit: once(child, 'exit') };
    });
    for (const { exit } of callers) expect(await exit).toEqual([0, null]);
    const forgotten = callers
      .flatMap(({ repositories }) => repositories)
      .filter((repository) => !openTrust({ repository, env: { HOME: home } }).isApproved(config));
    expect(forgotten).toEqual([]);
  });
});

let started = 0;

/** Another Node process that runs `source` as if it stood in this folder. */
function start(folder: string, source: string): ChildProcess {
  const outfile = join(folder, `child-${started++}.mjs`);
  buildSync({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function expectGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false);
}
