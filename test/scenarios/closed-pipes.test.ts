import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { commandAgent } from './support/agents.js';
import { agentx, agentxCommand, agentxEnvironment, aRepository, askArguments } from './support/agentx.js';
import { aRunnable } from './support/runs.js';

/** Runs the program with a reader of one of its pipes that has gone away before the first word. */
async function unread(stream: 'stdout' | 'stderr', cwd: string, args: readonly string[]) {
  const [node, program] = agentxCommand;
  const child = spawn(node, [program, ...args], { cwd, env: agentxEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  child[stream].destroy();
  child[stream === 'stdout' ? 'stderr' : 'stdout'].resume();
  const [status] = await once(child, 'close');
  return status;
}

const AGENT = { 'engineer.mjs': 'console.log("Built.");', 'architect.mjs': 'console.log("SQLite.");' };

describe('a reader that goes away', () => {
  it('from stderr changes nothing: what was asked is answered', async () => {
    const cwd = await aRepository({
      config: commandAgent('architect'),
      files: AGENT,
      issues: [{ title: 'Health endpoint' }],
    });
    expect(await unread('stderr', cwd, askArguments('Database', 'Which?'))).toBe(0);
    expect(agentx(cwd, ['clarify', 'show', 'CLR-1-001']).stdout).toContain('SQLite.');
  });

  it('from stderr lets a run come to its end', async () => {
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "code"\ntitle = "Code"\nagent = "engineer"\n',
      config: commandAgent('engineer'),
      files: AGENT,
    });
    expect(await unread('stderr', cwd, ['run', '1', '--verbose'])).toBe(0);
  });

  it('from stdout ends a run, whose exit code does not say that it is done', async () => {
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "code"\ntitle = "Code"\nagent = "engineer"\n',
      config: commandAgent('engineer'),
      files: AGENT,
    });
    expect(await unread('stdout', cwd, ['run', '1'])).toBe(1);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
  });

  it('from stdout of a list is no error', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
    expect(await unread('stdout', cwd, ['issue', 'list'])).toBe(0);
  });
});
