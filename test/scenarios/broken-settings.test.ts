import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aClarification } from '../builders/clarification.js';
import { aQuestion } from '../builders/question.js';
import { agentx, aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';

const LOOKING = ['ready', 'inbox', 'clarify', 'clarify graph', 'state', 'issue list', 'issue show 1', 'assumptions'];

describe('a config.toml that is broken', () => {
  it('is told by commands that can answer without it, and they answer', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
    const path = join(cwd, '.agentx/config.toml');
    const before = readFileSync(path, 'utf8');
    const answers = LOOKING.map((command) => {
      const { status, stdout, stderr } = agentx(cwd, command.split(' '));
      expect({ command, status, stderr }).toMatchObject({ status: 0, stderr: expect.not.stringContaining('warning') });
      return stdout;
    });
    for (const [mistake, message] of [
      ['agents = = 3', 'not valid TOML'],
      ['[humans]\nfallback_minutes = 5', `unknown key 'humans'. Did you mean 'human'?`],
    ] as const) {
      appendFileSync(path, `\n${mistake}\n`);
      for (const [index, command] of LOOKING.entries()) {
        const { status, stdout, stderr } = agentx(cwd, command.split(' '));
        expect({ command, status, stdout }).toEqual({ command, status: 0, stdout: answers[index] });
        expect(stderr, command).toContain('warning: .agentx/config.toml, line ');
        expect(stderr, command).toContain(message);
      }
      expect(agentx(cwd, ['inbox', '--quiet']).stderr).toBe('');
      expect(agentx(cwd, ['inbox', '--json']).stdout).toBe('{\n  "questions": []\n}\n');
      writeFileSync(path, before);
      expect(agentx(cwd, ['ready']).stderr).not.toContain('warning');
      expect(agentx(cwd, ['doctor']).status).toBe(0);
    }
  });

  it('is told by them also when a fallback or an escalation is due, which waits until the settings are right', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
    const { ledgers, questions } = storeOf(cwd);
    const id = 'oq-1a2b3c4d';
    const at = '2026-02-26T10:00:00.000Z';
    const fallback = { optionId: 'a', text: 'Yes', reasoning: 'cheapest', risk: 'low' };
    await questions.create(aQuestion({ id, issueNumber: 1, createdAt: at, expiresAt: at, fallback }));
    const record = aClarification({ id: 'CLR-1-001', status: 'escalated' });
    await ledgers.update(1, (ledger) => ({ next: { ...ledger, clarifications: [record] }, result: undefined }));
    const path = join(cwd, '.agentx/config.toml');
    const before = readFileSync(path, 'utf8');
    appendFileSync(path, '\nagents = = 3\n');
    for (const command of [...LOOKING, 'clarify show CLR-1-001', `inbox show ${id}`]) {
      const { status, stdout, stderr } = agentx(cwd, command.split(' '));
      expect
        .soft({ command, status, stderr })
        .toMatchObject({ status: 0, stderr: expect.stringContaining('warning: .agentx/config.toml, line ') });
      expect.soft(stderr.match(/not valid TOML/g), command).toHaveLength(1);
      expect.soft(stdout, command).not.toBe('');
    }
    expect(await questions.read(id)).toMatchObject({ status: 'open' });
    writeFileSync(path, before);
    expect(agentx(cwd, ['ready']).status).toBe(0);
    expect(await questions.read(id)).toMatchObject({ status: 'resolved', outcome: 'fallback_applied' });
  });

  it('is told once by a command that needs it', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
    appendFileSync(join(cwd, '.agentx/config.toml'), '\nagents = = 3\n');
    const { status, stderr } = agentx(cwd, ['run', '1']);
    expect(status).toBe(2);
    expect(stderr.match(/not valid TOML/g)).toHaveLength(1);
    expect(stderr).not.toContain('warning');
  });
});
