import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aHomeWithClis } from '../support/agent-clis.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';

describe('agentx init where agents are installed', () => {
  it('gives a CLI on the path the work, and the first run needs no other command', () => {
    const fakes = aHomeWithClis(['codex', 'claude']);
    const env = { ...fakes.env, AGENTX_TRUST: '' };
    const cwd = temporaryFolder();
    const { status, stderr } = agentx(cwd, ['init'], { env });
    expect(status).toBe(0);
    expect(stderr).toContain('claude is on your PATH, so .agentx/config.toml gives it the work of every agent.');
    const config = readFileSync(join(cwd, '.agentx/config.toml'), 'utf8');
    expect(config).toContain('[agents.engineer]\nrunner = "claude"');
    agentx(cwd, ['issue', 'create', '-t', 'Health endpoint', '-l', 'type:story'], { env });
    fakes.tell({ write: {}, answer: 'Done.' });
    expect(agentx(cwd, ['run', '1'], { env }).status).toBe(0);
    expect(fakes.started().length).toBeGreaterThan(0);
  });

  it('proposes the model of a key, without the key', () => {
    const cwd = temporaryFolder();
    const env = { PATH: '/usr/bin:/bin', OPENAI_API_KEY: 'sk-very-secret' };
    const { stdout, stderr } = agentx(cwd, ['init'], { env });
    const config = readFileSync(join(cwd, '.agentx/config.toml'), 'utf8');
    expect(config).toContain('[agents.architect]\nrunner = "model"\nmodel = "openai/gpt-5"');
    expect(`${config}${stdout}${stderr}`).not.toContain('sk-very-secret');
  });

  it('takes a key of blanks for none, when it proposes and when it runs', () => {
    const cwd = temporaryFolder();
    const env = { PATH: '/usr/bin:/bin', OPENAI_API_KEY: ' \n', ANTHROPIC_API_KEY: '' };
    agentx(cwd, ['init'], { env });
    const path = join(cwd, '.agentx/config.toml');
    expect(readFileSync(path, 'utf8')).not.toContain('runner = "model"');
    const tables = ['engineer', 'tester', 'reviewer'].map(
      (name) => `[agents.${name}]\nrunner = "model"\nmodel = "openai/gpt-5"\n`,
    );
    writeFileSync(path, tables.join(''));
    expect(agentx(cwd, ['doctor'], { env }).stdout).toContain('openai/gpt-5: no key');
    agentx(cwd, ['issue', 'create', '-t', 'Health endpoint', '-l', 'type:bug'], { env });
    const run = agentx(cwd, ['run', '1'], { env });
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain('OPENAI_API_KEY is not set');
  });

  it('never touches a config that is there, nor approves it', () => {
    const fakes = aHomeWithClis();
    const env = { ...fakes.env, AGENTX_TRUST: '' };
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.agentx'));
    const own = '[agents.engineer]\nrunner = "command"\ncommand = ["touch", "owned"]\n';
    writeFileSync(join(cwd, '.agentx/config.toml'), own);
    const { status, stderr } = agentx(cwd, ['init'], { env });
    expect(status).toBe(0);
    expect(stderr).not.toContain('gives it the work');
    expect(readFileSync(join(cwd, '.agentx/config.toml'), 'utf8')).toBe(own);
    expect(agentx(cwd, ['trust', '--json'], { env }).status).not.toBe(0);
  });
});

describe('agentx doctor, about who does the work', () => {
  const model = (lines: string): string => `[agents.engineer]\nrunner = "model"\n${lines}\n`;

  it('tells which agents can be reached, and what else could do work', async () => {
    const fakes = aHomeWithClis(['claude', 'codex']);
    const cwd = await aRepository({ config: '[agents.engineer]\nrunner = "claude"\n' });
    const { status, stdout } = agentx(cwd, ['doctor'], { env: { ...fakes.env, GEMINI_API_KEY: 'secret' } });
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^found +engineer: claude\. Whether it is logged in shows only when it works\. If not: start claude once/m,
    );
    expect(stdout).toMatch(/^unused +codex$/m);
    expect(stdout).toMatch(/^unused +GEMINI_API_KEY$/m);
    expect(stdout).not.toContain('secret');
  });

  it('says nothing of a login where a key is set', async () => {
    const fakes = aHomeWithClis(['claude']);
    const cwd = await aRepository({ config: '[agents.engineer]\nrunner = "claude"\n' });
    const { stdout } = agentx(cwd, ['doctor'], { env: { ...fakes.env, ANTHROPIC_API_KEY: 'secret' } });
    expect(stdout).toMatch(/^found +engineer: claude$/m);
  });

  it('says what to do about a key that is missing and a server that does not answer', async () => {
    const withoutKey = await aRepository({ config: model('model = "anthropic/claude-sonnet-4-5"') });
    const key = agentx(withoutKey, ['doctor']);
    expect(key.status).toBe(1);
    expect(key.stdout).toContain('Set ANTHROPIC_API_KEY, in the shell that starts agentx.');
    const withoutServer = await aRepository({
      config: model('model = "compatible/qwen3"\nbase_url = "http://127.0.0.1:9/v1"'),
    });
    const server = agentx(withoutServer, ['doctor']);
    expect(server.status).toBe(1);
    expect(server.stdout).toContain("Agent 'engineer' cannot reach http://127.0.0.1:9/v1: nothing answers there.");
  });

  it('asks no server, and shows it no key, that the user has not approved', async () => {
    const requests: unknown[] = [];
    const server = createServer(({ headers }, response) => {
      requests.push(headers.authorization);
      response.end(JSON.stringify({ data: [{ id: 'qwen3' }] }));
    });
    await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const url = `http://0.0.0.0:${port}/v1`;
    const cwd = await aRepository({ config: model(`model = "compatible/qwen3"\nbase_url = "${url}"`) });
    const env = { COMPATIBLE_API_KEY: 'secret-of-the-user', AGENTX_TRUST: '' };
    const { stdout } = await startAgentx(cwd, ['doctor'], { env });
    expect(stdout).toContain(`cannot reach ${url}: it is not approved`);
    expect(requests).toEqual([]);
    const approved = await startAgentx(cwd, ['doctor'], { env: { ...env, AGENTX_TRUST: '1' } });
    expect(approved.stdout).toMatch(/^found +engineer: compatible\/qwen3 at/m);
    expect(requests).toEqual(['Bearer secret-of-the-user']);
  });

  it('names the models that a server has, if it lacks the one', async () => {
    const server = createServer((_, response) => response.end(JSON.stringify({ data: [{ id: 'llama3' }, { id: 7 }] })));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/v1`;
    const cwd = await aRepository({ config: model(`model = "compatible/qwen3"\nbase_url = "${url}"`) });
    const { status, stdout } = await startAgentx(cwd, ['doctor']);
    expect(status).toBe(1);
    expect(stdout).toContain('It has: llama3.');
  });
});
