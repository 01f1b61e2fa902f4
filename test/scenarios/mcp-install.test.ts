import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES } from '../../src/mcp/install/clients.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, agentxCommand, aRepository } from './support/agentx.js';
import { onTerminal } from './support/terminal.js';

/** A repository, and a user whose clients have no settings yet. */
async function aUser() {
  const cwd = await aRepository();
  const home = temporaryFolder();
  const env = { HOME: home };
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    agentx(cwd, ['mcp', ...args], { env: { ...env, ...more } });
  const file = (...names: readonly string[]) => readFileSync(join(home, ...names), 'utf8');
  return { cwd, home, env, run, file };
}

describe('agentx mcp install', () => {
  it('lets every client start a server that answers, and takes it out again [X-6/6]', async () => {
    const { run, cwd, home } = await aUser();
    for (const client of CLIENT_NAMES) expect(run(['install', client])).toMatchObject({ status: 0 });
    const examined = run(['doctor', '--json']);
    expect(examined.status, examined.stderr).toBe(0);
    const { clients, missing, problems } = examined.json() as {
      clients: unknown[];
      missing: unknown;
      problems: unknown;
    };
    expect({ missing, problems }).toEqual({ missing: [], problems: 0 });
    expect(clients).toHaveLength(CLIENT_NAMES.length);
    for (const client of clients)
      expect(client).toMatchObject({ result: { isAnswered: true, tools: expect.any(Array) } });
    for (const client of CLIENT_NAMES) expect(run(['install', client, '--uninstall']).stdout).toMatch(/^Removed\./m);
    expect(existsSync(join(home, '.claude.json'))).toBe(false);
    expect(existsSync(join(cwd, '.vscode/mcp.json'))).toBe(false);
  });

  it('shows what it changes, keeps the rest, and changes nothing the second time [X-6/6]', async () => {
    const { run, home, file } = await aUser();
    mkdirSync(join(home, '.codex'));
    const mine = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "other"\nenv = { API_KEY = "sk-123" }\n';
    writeFileSync(join(home, '.codex/config.toml'), mine);
    const first = run(['install', 'codex']);
    expect(first.stdout).toContain('+ [mcp_servers.agentx]');
    expect(first.stdout).toContain('+ tool_timeout_sec = 900');
    expect(first.stdout + first.stderr).not.toContain('sk-123');
    expect(first.stdout).toContain('Installed. Start a new session of codex');
    expect(first.stderr).toContain('agentx is not on your PATH, so the whole path is written');
    expect(file('.codex/config.toml').startsWith(mine)).toBe(true);
    const after = file('.codex/config.toml');
    expect(run(['install', 'codex']).stdout).toContain('Nothing to do: Codex has it already.');
    expect(file('.codex/config.toml')).toBe(after);
    run(['install', 'codex', '--uninstall']);
    expect(file('.codex/config.toml')).toBe(mine);
  });

  it.each(['', '{}', '{\n}\n', ' \n', '{\n  "mcpServers": {}\n}\n'])(
    'leaves a file that held nothing (%j) as it was',
    async (nothing) => {
      const { run, home, file } = await aUser();
      writeFileSync(join(home, '.claude.json'), nothing);
      expect(run(['install', 'claude']).status).toBe(0);
      expect(file('.claude.json')).toContain('agentx');
      expect(run(['install', 'claude']).stdout).toContain('Nothing to do');
      expect(run(['install', 'claude', '--uninstall']).status).toBe(0);
      expect(file('.claude.json')).toBe(nothing);
      expect(existsSync(join(home, '.local/state/agentx/empty-files.json'))).toBe(false);
      // A file that we make goes with what we wrote, also in the place of one that was empty once.
      rmSync(join(home, '.claude.json'));
      run(['install', 'claude']);
      run(['install', 'claude', '--uninstall']);
      expect(existsSync(join(home, '.claude.json'))).toBe(false);
    },
  );

  it('writes the name of the program if that leads to it', async () => {
    const { run, home, file } = await aUser();
    mkdirSync(join(home, 'bin'));
    symlinkSync(agentxCommand[1], join(home, 'bin/agentx'));
    const path = { PATH: `${join(home, 'bin')}:${process.env.PATH}` };
    run(['install', 'claude'], path);
    expect(JSON.parse(file('.claude.json')).mcpServers.agentx).toMatchObject({ command: 'agentx', args: ['mcp'] });
    expect(run(['doctor', 'claude'], path).stdout).toMatch(/^ok {6}claude/);
    // In a place where the name leads nowhere.
    const lost = run(['doctor', 'claude']);
    expect(lost).toMatchObject({ status: 1 });
    expect(lost.stdout).toContain('cannot be started: spawn agentx ENOENT');
    expect(lost.stdout).toContain('Run this again: agentx mcp install claude --scope user');
  });

  it('writes nothing with --print, and tells programs the same', async () => {
    const { run, home } = await aUser();
    expect(run(['install', 'gemini', '--print']).stdout).toMatch(/"trust": true[\s\S]*Nothing was written\.\n$/);
    expect(run(['install', 'gemini', '--print', '--json']).json()).toMatchObject({
      client: 'gemini',
      scope: 'user',
      written: false,
      files: [
        { path: join(home, '.gemini/settings.json'), parts: ['server'], change: 'new' },
        { path: join(home, '.gemini/GEMINI.md'), parts: ['instructions'], change: 'new' },
      ],
    });
    expect(existsSync(join(home, '.gemini'))).toBe(false);
  });

  it('asks on a terminal', async () => {
    const { cwd, home, env } = await aUser();
    const question = 'Write these 3 files? [Y/n]';
    const no = onTerminal(cwd, ['mcp', 'install', 'claude'], { env });
    await no.until(question);
    no.type('n\r');
    expect(await no.ended).toBe(1);
    expect(no.screen()).toContain('Nothing was written.');
    expect(existsSync(join(home, '.claude.json'))).toBe(false);
    const yes = onTerminal(cwd, ['mcp', 'install', 'claude'], { env });
    await yes.until(question);
    yes.type('\r');
    expect(await yes.ended).toBe(0);
    expect(existsSync(join(home, '.claude.json'))).toBe(true);
  });

  it('refuses a broken file, a link out of the project and an agent, and writes nothing', async () => {
    const { run, cwd, home } = await aUser();
    writeFileSync(join(home, '.claude.json'), '{"mcpServers": ');
    const broken = run(['install', 'claude']);
    expect(broken).toMatchObject({ status: 2, stdout: '' });
    expect(broken.stderr).toContain('.claude.json is no valid JSON');
    expect(existsSync(join(home, '.claude'))).toBe(false);
    writeFileSync(join(home, '.bashrc'), 'mine\n');
    symlinkSync(join(home, '.bashrc'), join(cwd, 'AGENTS.md'));
    const out = run(['install', 'codex', '--scope', 'project']);
    expect(out).toMatchObject({ status: 2 });
    expect(out.stderr).toContain('leads out of');
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('mine\n');
    expect(existsSync(join(cwd, '.codex'))).toBe(false);
    expect(run(['install', 'codex'], { AGENTX_AGENT: 'engineer' })).toMatchObject({ status: 1 });
    expect(run(['install', 'codec'])).toMatchObject({ status: 2 });
  });

  it('has hooks that report sessions, and are silent elsewhere', async () => {
    const { run, cwd, env, file } = await aUser();
    run(['install', 'claude', '--hooks']);
    const { hooks } = JSON.parse(file('.claude/settings.json'));
    expect(hooks.SessionStart[0].hooks[0].command).toMatch(/agentx\.js hook start engineer --session$/);
    const silent = { status: 0, stdout: '', stderr: '' };
    const start = ['hook', 'start', 'engineer', '--session'];
    expect(agentx(temporaryFolder(), start, { env })).toMatchObject(silent);
    expect(agentx(cwd, start, { env: { ...env, AGENTX_AGENT: 'architect' } })).toMatchObject(silent);
    expect(agentx(cwd, ['state', '--json'], { env }).json()).toEqual({});
    expect(agentx(cwd, start, { env })).toMatchObject(silent);
    expect(agentx(cwd, ['state', '--json'], { env }).json()).toMatchObject({ engineer: { status: 'working' } });
    agentx(cwd, ['hook', 'finish', 'engineer', '--session'], { env });
    expect(agentx(cwd, ['state', '--json'], { env }).json()).toMatchObject({ engineer: { status: 'done' } });
  });
});

describe('agentx mcp doctor', () => {
  it('names the clients in which nothing is installed', async () => {
    const { run } = await aUser();
    expect(run(['doctor'])).toMatchObject({
      status: 0,
      stdout: `Nothing is installed in: ${CLIENT_NAMES.join(', ')}.\n`,
    });
    const one = run(['doctor', 'claude']);
    expect(one).toMatchObject({ status: 4, stdout: '' });
    expect(one.stderr).toContain('agentx mcp install claude');
  });

  it('says what is wrong with a server, and what to do', async () => {
    const { run, home } = await aUser();
    const entry = (program: string) =>
      JSON.stringify({
        mcpServers: { agentx: { command: process.execPath, args: [join(home, 'agentx.cjs'), 'mcp'] } },
        program,
      });
    const serve = (program: string) => {
      writeFileSync(join(home, 'agentx.cjs'), program);
      writeFileSync(join(home, '.claude.json'), entry(program));
      const { status, stdout } = run(['doctor', 'claude']);
      expect(status).toBe(1);
      return stdout;
    };
    expect(serve('console.error("no database"); process.exit(3)')).toContain(
      'ended at once, with exit code 3. It said: no database',
    );
    expect(serve('console.log("hello")')).toContain('writes something else than the protocol to stdout: hello');
    expect(serve('process.stdin.on("data", () => console.log(JSON.stringify({ id: 1, result: {} })))')).toContain(
      'did not introduce itself',
    );
    writeFileSync(join(home, '.claude.json'), '{"mcpServers":{"agentx":{"type":"http","url":"http://127.0.0.1/mcp"}}}');
    expect(run(['doctor', 'claude']).stdout).toContain('names an address');
    writeFileSync(join(home, '.claude.json'), '{');
    expect(run(['doctor'])).toMatchObject({ status: 1 });
  });

  it('gives the server what the client gives it', async () => {
    const { run, home } = await aUser();
    run(['install', 'codex']);
    const config = join(home, '.codex/config.toml');
    const spy = join(home, 'agentx.cjs');
    writeFileSync(spy, 'console.error(Object.keys(process.env).sort().join()); process.exit(1);');
    writeFileSync(config, readFileSync(config, 'utf8').replace(/args = .*/, `args = ["${spy}", "mcp"]`));
    const { stdout } = run(['doctor', 'codex'], { AGENTX_AGENT: 'engineer', SECRET_KEY: 'x' });
    expect(stdout).toMatch(/It said: .*AGENTX_AGENT.*HOME.*PATH/);
    expect(stdout).not.toContain('SECRET_KEY');
  });
});
