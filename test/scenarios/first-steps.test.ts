import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentxEnvironment } from './support/agentx.js';
import { storeOf } from './support/runs.js';
import { KEYS, onTerminal } from './support/terminal.js';

const root = resolve(import.meta.dirname, '../..');
const agentx = resolve(root, 'dist/agentx.js');

describe('first steps', () => {
  it('plays a whole feature without a person, in ASCII, and leaves only what it names behind [CL-1/15]', async () => {
    const home = temporaryFolder();
    const output = execFileSync(process.execPath, [agentx, 'demo'], {
      encoding: 'utf8',
      env: agentxEnvironment(onlyIn(home)),
    });
    for (const line of [
      'Your inbox is also a page:\n  http://127.0.0.1:',
      '[QUESTION] UX Designer asks you ',
      '[Agent X] Nobody answered in time; the fallback is taken: Degraded',
      '[Engineer -> Architect] Clarification: Database layer (CLR-1-001, round 2/2, blocking)',
      ' Clarification resolved. Continuing...',
      '[Architect] is refused (SCOPE_VIOLATION)',
      'Why: deadlock: ',
      '[ESCALATED] Retention of audit logs (CLR-1-003)',
      '[bob, cli] ',
      'Run complete: ',
      '4 clarifications asked, 4 resolved, 2 escalated',
      ' assumptions --root ',
    ]) {
      expect(output).toContain(line);
    }
    expect(output.match(/Nobody answered in time; the fallback is taken/g)).toHaveLength(1);
    expect(output).toMatch(/^[ -~\n]+$/);

    const [, repository = ''] = /All of it is on the disk: (\S+)/.exec(output) ?? [];
    expect(readdirSync(home)).toEqual([basename(repository)]);
    const ledger = readFileSync(join(repository, '.agentx/state/clarifications/issue-1.json'), 'utf8');
    expect(JSON.parse(ledger)).toMatchObject({
      issueNumber: 1,
      clarifications: [
        { id: 'CLR-1-001', status: 'resolved', round: 2 },
        { id: 'CLR-1-002', status: 'resolved', outcome: 'answered' },
        { id: 'CLR-1-003', status: 'resolved', outcome: 'answered', round: 2 },
      ],
    });
    for (const path of ['docs/prd/PRD-1.md', 'docs/ux/UX-1.md', 'docs/adr/ADR-1.md', 'src/health.js', 'src/keys.js']) {
      expect(existsSync(join(repository, path)), path).toBe(true);
    }
    const store = storeOf(repository);
    const questions = (await store.questions.list()).items;
    expect(questions.map(({ outcome = '' }) => outcome).sort()).toEqual(['answered', 'answered', 'fallback_applied']);
    const assumed = (await store.assumptions.list()).items;
    expect(assumed).toMatchObject([{ id: 'ASM-1-001', user_response: 'timeout_assumed' }]);

    expect(execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })).not.toContain(repository);
    await expect(fetch(linkIn(output).origin)).rejects.toThrow();
  });

  it('goes on when the question is answered on the page, and closes the page when it is stopped [X-4/3] [X-7/2]', async () => {
    const home = temporaryFolder();
    const terminal = onTerminal(home, ['demo'], { env: onlyIn(home) });
    await terminal.until(/UX Designer asks: .*\n.*a fallback applies in 0:\d\d\n[\s\S]*Something else\.\.\./);
    // Typing at the prompt holds the clock: the remaining time grows.
    terminal.type(KEYS.down);
    await terminal.until(/a fallback applies in 1:\d\d\n/);
    expect(terminal.screen()).toContain('Answer below, or on the page:\n  http://127.0.0.1:');
    // A command that is copied would not find the demo's folder.
    terminal.type(KEYS.escape);
    await terminal.until('Left open. Any key asks again.');
    expect(terminal.screen()).not.toContain('inbox answer');
    const { origin, hash } = linkIn(terminal.screen());
    const headers = { authorization: `Bearer ${hash.replace('#token=', '')}`, 'content-type': 'application/json' };
    const notifications = `${origin}/api/v1/projects/demo/notifications`;
    const listed: { notifications: { id: string; revision: number; questions: { id: string }[] }[] } = JSON.parse(
      await (await fetch(notifications, { headers })).text(),
    );
    const [question] = listed.notifications;
    const responses = [{ questionId: question?.questions[0]?.id, optionIds: ['b'] }];
    const body = JSON.stringify({ revision: question?.revision, responses });
    const answered = await fetch(`${notifications}/${question?.id}`, { method: 'PATCH', headers, body });
    expect(answered.status).toBe(200);

    await terminal.until(/UX Designer asks: What does .*\n\[ada, web\] Up\n/);
    await terminal.until('[Engineer -> Architect] Clarification: Database layer');
    expect(terminal.screen()).not.toContain('Something else...');
    terminal.type(KEYS.ctrlC);
    expect(await terminal.ended).toBe(130);
    expect(terminal.screen()).toContain('Stopped. What there is by now: ');
    expect(terminal.screen()).not.toContain('fallback is taken');
    await expect(fetch(origin)).rejects.toThrow();
  });

  it('prints no escape codes into a pipe', () => {
    const output = execFileSync(process.execPath, [agentx, '--help'], { encoding: 'utf8' });
    expect(output).toMatch(/^Usage: agentx /);
    expect(output).toMatch(/^[ -~\n]+$/);
  });

  it('stops quietly when its reader has seen enough', () => {
    const script = `"${process.execPath}" "${agentx}" --help | head -c 1; "${process.execPath}" "${agentx}" --help | true`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'U', stderr: '' });
  });

  it('says what is wrong with a command that it does not know, and exits with 2', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [agentx, 'dmeo'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(
      /^error: There is no 'agentx dmeo'\. Did you mean 'demo'\? Allowed: init, .*\. See: agentx --help\n$/,
    );
  });

  it('tells a Node that is too old in one sentence', () => {
    const script = `
      Object.defineProperty(process.versions, 'node', { value: '18.20.4' });
      require(${JSON.stringify(resolve(root, 'scripts/run.cjs'))});`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe('AgentX needs Node 20.19 or newer; this is Node 18.20.4.\n');
  });

  it('loads neither all of zod nor what another command needs before it knows what to do', () => {
    const helped = loadedBy('--help');
    expect(helped).toContain('node_modules/commander/lib/command.js');
    expect(helped).toContain('src/cli/demo/register.ts');
    const others = /^(src\/(hub|agents|server|inbox)\/|node_modules\/(smol-toml|hono|ws)\/)/;
    expect(helped.filter((module) => others.test(module))).toEqual([]);
    // A command that reads records checks them, in one language and without the programs of agents.
    const ready = loadedBy('ready');
    expect(ready).toContain('node_modules/zod/v4/mini/schemas.js');
    expect(ready).toContain('src/board/ready.ts');
    const allOfZod = /^node_modules\/zod\/v4\/(classic\/|locales\/(?!index\.js))/;
    expect([...helped, ...ready].filter((module) => allOfZod.test(module))).toEqual([]);
    for (const other of ['src/hub/ask.ts', 'src/agents/command.ts', 'src/server/serve.ts']) {
      expect(ready, other).not.toContain(other);
    }
  });

  it('makes no schema of records that the command does not read', () => {
    const state = loadedBy('state');
    expect(state).toContain('src/protocol/agent-status.ts');
    for (const other of ['clarification', 'github', 'observation', 'session']) {
      expect(state, other).not.toContain(`src/protocol/${other}.ts`);
    }
  });

  it('is a library too: its public names load from the built package', async () => {
    const library: Record<string, unknown> = await import(resolve(dirname(agentx), 'index.js'));
    for (const name of [
      'createApp',
      'AsyncMutex',
      'JsonFileLock',
      'FileLockManager',
      'ClarificationLedger',
      'Question',
    ]) {
      expect(library, name).toHaveProperty(name);
    }
  });
});

/** Whatever a program leaves outside of its working folder, it leaves here. */
function onlyIn(folder: string): Readonly<Record<string, string>> {
  return { HOME: folder, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' };
}

function linkIn(text: string): URL {
  return new URL(/http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(text)?.[0] ?? '');
}

/**
 * The modules of the built program that a command evaluates. Each is a function named after it, called when it is first
 * needed. A package is one, with its files as comments.
 */
function loadedBy(command: string): readonly string[] {
  const cwd = temporaryFolder();
  const folder = resolve(root, 'dist/program');
  const name = /agentx-\w+\.cjs/.exec(readFileSync(resolve(root, 'dist/agentx.cjs'), 'utf8'))?.[0] ?? '';
  const env = agentxEnvironment({ NODE_V8_COVERAGE: join(cwd, 'coverage') });
  execFileSync(process.execPath, [join(folder, name), 'init'], { cwd, env: agentxEnvironment(), stdio: 'pipe' });
  execFileSync(process.execPath, [join(folder, name), command], { cwd, env, stdio: 'pipe' });
  const [file = ''] = readdirSync(join(cwd, 'coverage'));
  const coverage: { result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[] } =
    JSON.parse(readFileSync(join(cwd, 'coverage', file), 'utf8'));
  const scripts = coverage.result.filter(({ url }) => url.startsWith(pathToFileURL(folder).href));
  return scripts.flatMap(({ url, functions }) => {
    const called = new Set(functions.filter(({ ranges }) => ranges[0]?.count).map(({ functionName }) => functionName));
    const [, ...modules] = readFileSync(fileURLToPath(url), 'utf8').split(/^ {2}(?="[^"]+"\(exports, module\) \{$)/m);
    return modules.flatMap((text) => {
      const [, module = ''] = /^"([^"]+)"/.exec(text) ?? [];
      const files = [...text.matchAll(/^\/\/ (node_modules\/\S+)$/gm)].flatMap(([, path]) => path ?? []);
      return called.has(module) ? [module, ...files] : [];
    });
  });
}
