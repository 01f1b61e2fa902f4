import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anAnswerBrief, aWorkBrief } from '../../test/builders/brief.js';
import { refusalOf } from '../../test/builders/refusal.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { AgentXError } from '../protocol/errors.js';
import type { AgentTable } from './agents-config.js';
import { isHuman } from './human.js';
import { runnerFor } from './runner-for.js';

const NO_FILES = { read: async () => '', list: async () => '', search: async () => '' };

describe('runnerFor', () => {
  it('starts the command of an agent, with the variables of its table', async () => {
    const command = ['sh', '-c', 'echo $GREETING $HOME'];
    const pick = forAgents({ architect: { runner: 'command', command, env: { GREETING: 'hello' } } });
    expect(await pick('architect').run(anAnswerBrief())).toEqual({ text: 'hello /home/me' });
  });

  it('holds the command to its timeout', async () => {
    const pick = forAgents({ architect: { runner: 'command', command: ['sleep', '100'], timeout_seconds: 0.1 } });
    await expect(pick('architect').run(anAnswerBrief())).rejects.toThrow('took longer than 0.1 s');
  });

  it('lets agents that name the same script share its turns', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'demo.toml'), '[[turns]]\ntext = "one"\n[[turns]]\ntext = "two"');
    const table = { runner: 'script', script: 'demo.toml' };
    const pick = forAgents({ architect: table, engineer: table }, { cwd });
    expect(await pick('engineer').run(aWorkBrief())).toEqual({ text: 'one' });
    expect(await pick('architect').run(anAnswerBrief())).toEqual({ text: 'two' });
  });

  it('marks a human, whom no program can stand in for', async () => {
    const pick = forAgents({
      architect: { runner: 'human' },
      engineer: { runner: 'command', command: ['true'] },
    });
    expect(isHuman(pick('architect'))).toBe(true);
    expect(isHuman(pick('engineer'))).toBe(false);
    await expect(pick('architect').run(anAnswerBrief())).rejects.toMatchObject({
      code: 'AGENT_ERROR',
      message: expect.stringContaining('waits for a human'),
    });
  });

  it('knows agents by their other name', () => {
    expect(isHuman(forAgents({ 'product-manager': { runner: 'human' } })('pm'))).toBe(true);
  });

  it.each([
    ['no table', {}, 'has no table'],
    [
      'a runner that is not there yet',
      { architect: { runner: 'oracle' } },
      "has the runner 'oracle', which is not in this version: change it",
    ],
    ['no model', { architect: { runner: 'model' } }, "has the runner 'model' but no model"],
    ['no command', { architect: { runner: 'command' } }, "has the runner 'command' but no command"],
    ['an empty command', { architect: { runner: 'command', command: [] } }, "has the runner 'command' but no command"],
    ['no script', { architect: { runner: 'script' } }, "has the runner 'script' but no script"],
  ])('refuses an agent with %s, by an example', (_, agents, problem) => {
    const { code, message } = refusalOf(() => forAgents(agents)('architect'));
    expect(code).toBe('CONFIG_ERROR');
    expect(message).toContain(`Agent 'architect' ${problem}`);
    expect(message).toContain(
      'in .agentx/config.toml. Allowed runners: command, model, editor, script, human, claude,',
    );
    expect(message).toMatch(/\[agents\.architect\]\nrunner = "(command|script|model)"\n\1 = /);
  });

  it("refuses the runner 'editor' outside the editor, and says where it works", () => {
    const { code, message } = refusalOf(() => forAgents({ architect: { runner: 'editor' } })('architect'));
    expect(code).toBe('CONFIG_ERROR');
    expect(message).toContain("has the runner 'editor'");
    expect(message).toContain('works only inside the editor');
  });

  it('refuses a model whose key is missing, before it takes a turn', () => {
    const pick = forAgents({ architect: { runner: 'model', model: 'anthropic/opus' } }, { filesIn: () => NO_FILES });
    const { code, message } = refusalOf(() => pick('architect'));
    expect(code).toBe('CONFIG_ERROR');
    expect(message).toContain('ANTHROPIC_API_KEY is not set');
  });

  it('starts no program that is not approved', () => {
    const requireApproval = () => {
      throw new AgentXError('UNAUTHORIZED', 'agentx trust');
    };
    const table = { runner: 'command', command: ['touch', 'owned'] };
    const pick = forAgents({ architect: table, engineer: { runner: 'human' } }, { trust: { requireApproval } });
    expect(refusalOf(() => pick('architect')).code).toBe('UNAUTHORIZED');
    expect(isHuman(pick('engineer'))).toBe(true);
  });

  it('starts a model that may run commands, or that a config sends elsewhere, only with approval', () => {
    const requireApproval = () => {
      throw new AgentXError('UNAUTHORIZED', 'agentx trust');
    };
    const code = (table: Partial<AgentTable>) => {
      const architect = { runner: 'model', model: 'compatible/m', ...table };
      try {
        forAgents({ architect }, { trust: { requireApproval }, filesIn: () => NO_FILES })('architect');
        return 'started';
      } catch (error) {
        return Object(error).code;
      }
    };
    expect(code({ model: 'openai/gpt-5' })).toBe('started');
    expect(code({ base_url: 'http://127.0.0.1:11434/v1' })).toBe('started');
    expect(code({ base_url: 'http://localhost:1234/v1' })).toBe('started');
    expect(code({ commands: [['npm', 'test']] })).toBe('UNAUTHORIZED');
    expect(code({ model: 'openai/gpt-5', base_url: 'https://evil.example/v1' })).toBe('UNAUTHORIZED');
    expect(code({ base_url: 'http://127.0.0.1.evil.example/v1' })).toBe('UNAUTHORIZED');
    expect(code({ base_url: 'http://user@evil.example:80/localhost' })).toBe('UNAUTHORIZED');
  });

  function forAgents(agents: Record<string, AgentTable>, options: Partial<Parameters<typeof runnerFor>[0]> = {}) {
    const env = { PATH: process.env.PATH, HOME: '/home/me', OPENAI_API_KEY: 'a-key' };
    const trust = { requireApproval: () => {} };
    return runnerFor({
      config: { agents },
      cwd: '/',
      root: '/.agentx',
      trust,
      env,
      agentx: () => ['agentx'],
      ...options,
    });
  }
});
