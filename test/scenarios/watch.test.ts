import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFileStore } from '../../src/storage/files/store.js';
import { anExpiringQuestion } from '../builders/question.js';
import { agentx, aRepository, askArguments } from './support/agentx.js';
import { KEYS, onTerminal } from './support/terminal.js';

const ISSUES = [{ title: 'Health endpoint' }, { title: 'Login' }];

describe('agentx watch', () => {
  it('says once how things are where there is no terminal', async () => {
    const cwd = await aRepository({ issues: ISSUES });
    const { status, stdout, stderr } = agentx(cwd, ['watch']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^AgentX .*2 ready, 0 blocked\n/);
    expect(stdout).not.toContain('\u001b');
    expect(agentx(cwd, ['watch', '--json']).json()).toMatchObject({ ready: 2, runs: [], questions: [] });
  });

  it('takes a fallback that is due, like every command that looks', async () => {
    const cwd = await aRepository({ issues: ISSUES });
    const { questions } = openFileStore({ root: join(cwd, '.agentx') });
    await questions.create(anExpiringQuestion({ issueNumber: 1 }));
    expect(agentx(cwd, ['watch', '--json']).json()).toMatchObject({ questions: [] });
    expect(await questions.read('oq-1a2b3c4d')).toMatchObject({ status: 'resolved', outcome: 'fallback_applied' });
  });

  it('shows what other processes do, and gives the terminal back on q', async () => {
    const cwd = await aRepository({
      issues: ISSUES,
      config: '[agents.architect]\nrunner = "human"\n',
    });
    const terminal = onTerminal(cwd, ['watch']);
    await terminal.until('2 ready, 0 blocked');
    agentx(cwd, ['issue', 'create', '-t', 'Third']);
    await terminal.until('3 ready');
    agentx(cwd, ['state', 'set', 'engineer', 'working', '--issue', '1']);
    await terminal.until(/engineer +working +#1/);
    const args = askArguments('Database', 'Which?');
    expect(agentx(cwd, args).status).toBe(3);
    await terminal.until(/QUESTIONS {2}1 for you/);
    await terminal.until(/CLR-1-001 +escalated/);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).toContain('\u001b[?1049h');
    expect(terminal.raw().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  });

  it('survives a small window and a resize, and Ctrl-C', async () => {
    const cwd = await aRepository({ issues: ISSUES });
    const terminal = onTerminal(cwd, ['watch'], { columns: 20, rows: 8 });
    await terminal.until('2 ready, 0 blocked');
    await terminal.until('CLARIFICATIONS');
    expect(terminal.screen().split('\n').length).toBeLessThanOrEqual(8);
    terminal.resize(90, 30);
    await terminal.until(/AgentX .*2 ready, 0 blocked/);
    terminal.type(KEYS.ctrlC);
    expect(await terminal.ended).toBe(130);
    expect(terminal.raw().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  });
});
