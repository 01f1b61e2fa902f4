import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ClarificationRecord } from '../../src/protocol/clarification.js';
import { aClarification } from '../builders/clarification.js';
import { until } from '../support/until.js';
import { agentx, aRepository, startAgentx } from './support/agentx.js';

const ISSUES = [{ title: 'Health endpoint', labels: ['type:feature'] }];
const CONFIG = '[agents.architect]\nrunner = "script"\nscript = "turns.toml"';
const PARTIES = ['--from', 'engineer', '--to', 'architect'];
const ASK = ['ask', '--issue', '1', ...PARTIES, '--topic', 'Database', '-q', 'Which one?'];

async function repository(turns: string): Promise<string> {
  return aRepository({ issues: ISSUES, config: CONFIG, files: { 'turns.toml': turns } });
}

const ledgerOf = (cwd: string) => join(cwd, '.agentx/state/clarifications/issue-1.json');

function logOf(cwd: string): readonly Readonly<Record<string, unknown>>[] {
  const text = readFileSync(join(cwd, '.agentx/state/logs/agentx.log'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

function holdLock(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  const body = { pid: process.pid, timestamp: new Date().toISOString(), agent: 'somebody' };
  writeFileSync(`${file}.lock`, JSON.stringify(body));
  return () => rmSync(`${file}.lock`);
}

describe('the log of a repository', () => {
  it('tells every operation with who asked whom about what, and how it stands [CL-7/1]', async () => {
    const cwd = await repository('[[turns]]\ntimes = 0\nanswer = "SQLite."');
    agentx(cwd, ASK);
    agentx(cwd, ['clarify', 'follow-up', 'CLR-1-001', '-q', 'And in CI?']);
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'SQLite everywhere.']);
    const parties = { clarificationId: 'CLR-1-001', issueNumber: 1, fromAgent: 'engineer', toAgent: 'architect' };
    expect(logOf(cwd).filter(({ msg }) => String(msg).startsWith('clarification-'))).toMatchObject([
      { msg: 'clarification-requested', level: 'info', ...parties, round: 1, status: 'pending' },
      { msg: 'clarification-answered', level: 'info', ...parties, round: 1, status: 'answered' },
      { msg: 'clarification-requested', level: 'info', ...parties, round: 2, status: 'pending' },
      { msg: 'clarification-answered', level: 'info', ...parties, round: 2, status: 'answered' },
      { msg: 'clarification-resolved', level: 'info', ...parties, round: 2, status: 'resolved' },
    ]);
  });

  it('tells of a target that failed before it is asked again, and the whole escalation [CL-7/4] [CL-7/5]', async () => {
    const cwd = await repository('[[turns]]\ntimes = 0\nfail = "no network"');
    agentx(cwd, ASK);
    const lines = logOf(cwd);
    expect(lines.filter(({ code }) => code === 'AGENT_ERROR')).toHaveLength(2);
    const { thread } = JSON.parse(readFileSync(ledgerOf(cwd), 'utf8')).clarifications[0];
    expect(lines.find(({ msg }) => msg === 'clarification-escalated')).toMatchObject({
      level: 'warn',
      status: 'escalated',
      summary: thread.at(-1).body,
    });
    expect(lines.findIndex(({ code }) => code === 'AGENT_ERROR')).toBeLessThan(
      lines.findIndex(({ msg }) => msg === 'clarification-escalated'),
    );
  });

  it('tells who waited how long for which lock, and who held it [CL-7/2]', async () => {
    const cwd = await repository('[[turns]]\nanswer = "SQLite."');
    const release = holdLock(ledgerOf(cwd));
    const asking = startAgentx(cwd, ASK, { env: { AGENTX_AGENT: 'engineer' } });
    const waiting = `${ledgerOf(cwd)}.waiting.lock`;
    await until(() => existsSync(waiting));
    await sleep(200);
    release();
    expect((await asking).status).toBe(0);
    expect(logOf(cwd).filter(({ msg }) => msg === 'lock contention')).toContainEqual(
      expect.objectContaining({
        level: 'info',
        step: 'taken',
        filePath: ledgerOf(cwd),
        agent: 'engineer',
        durationMs: expect.any(Number),
      }),
    );
  });

  it('tells of a lock that could not be had, and nothing is half done [CL-7/5] [CL-3/2]', async () => {
    const cwd = await repository('[[turns]]\nanswer = "SQLite."');
    const release = holdLock(ledgerOf(cwd));
    const message = expect.stringMatching(/issue-1\.json: held by somebody \(pid \d+\) for \d+ s; waited 5 s\./);
    expect(agentx(cwd, [...ASK, '--json']).json()).toMatchObject({ error: { code: 'LOCK_TIMEOUT', message } });
    release();
    expect(logOf(cwd)).toMatchObject([
      { msg: 'lock contention', level: 'warn', step: 'refused', filePath: ledgerOf(cwd), agent: 'agentx' },
      { msg: 'clarification refused', level: 'warn', code: 'LOCK_TIMEOUT', issueNumber: 1 },
    ]);
    expect(existsSync(ledgerOf(cwd))).toBe(false);
  });

  it('tells what every check found, nothing included [CL-7/3]', async () => {
    const cwd = await repository('[[turns]]\nanswer = "SQLite."');
    agentx(cwd, ['state']);
    expect(existsSync(join(cwd, '.agentx/state/logs'))).toBe(false);
    agentx(cwd, ['ready']);
    mkdirSync(dirname(ledgerOf(cwd)), { recursive: true });
    const staleAfter = new Date(Date.now() + 3_600_000).toISOString();
    const fresh = (id: string, [from = '', to = '']: readonly string[], fields: Partial<ClarificationRecord>) =>
      aClarification({ id, from, to, staleAfter, ...fields });
    const clarifications = [
      aClarification({ id: 'CLR-1-001', from: 'reviewer', to: 'analyst' }),
      fresh('CLR-1-002', ['engineer', 'architect'], { topic: 'Database' }),
      fresh('CLR-1-003', ['architect', 'engineer'], { topic: 'Deadline' }),
      fresh('CLR-1-004', ['tester', 'coder'], { topic: 'Fixtures', blocking: false }),
      fresh('CLR-1-005', ['coder', 'tester'], { topic: 'Fixtures', blocking: false, created: staleAfter }),
    ];
    writeFileSync(ledgerOf(cwd), JSON.stringify({ issueNumber: 1, clarifications }));
    agentx(cwd, ['ready', '--no-retry']);
    expect(logOf(cwd).filter(({ msg }) => msg === 'monitor check')).toMatchObject([
      { level: 'info', staleCount: 0, stuckCount: 0, deadlockedCount: 0 },
      { level: 'info', staleCount: 1, stuckCount: 1, deadlockedCount: 2 },
    ]);
  });
});
