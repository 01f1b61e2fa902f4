import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aProject } from '../../../test/builders/editor-chat.js';
import { until } from '../../../test/support/until.js';
import { agentRows } from './agents.js';
import { assumptionRows } from './assumptions.js';
import { changedRows } from './changed-rows.js';
import { ClarificationRows } from './clarifications.js';
import { labelOf, tickingRows } from './countdown.js';
import { inboxRows } from './inbox.js';
import { readyRows } from './ready.js';
import type { Row } from './row.js';

const ASK = {
  issueNumber: 1,
  from: 'engineer',
  to: 'architect',
  topic: 'Database',
  question: 'Which **one**?\u001b[31m',
};

describe('the rows of the trees', () => {
  it('show who clarifies and who is blocked, with icons of their own and whom they wait for [US-3.1/6]', async () => {
    const { app } = await aProject({ architect: () => 'SQLite.' });
    expect(await agentRows(app)).toEqual([]);
    await app.openAsk({ ...ASK, blocking: true });
    const rows = await agentRows(app);
    expect(rows).toMatchObject([
      { label: 'Engineer', icon: 'watch', description: 'waits for architect, CLR-1-001, blocked-clarification #1' },
      { label: 'Architect', icon: 'comment-discussion', description: 'answers engineer, CLR-1-001, clarifying #1' },
    ]);
    expect(new Set(rows.map(({ icon }) => icon)).size).toBe(2);
    expect(rows[0]?.command).toEqual({ name: 'agentx.showThread', argument: { root: app.root, id: 'CLR-1-001' } });
  });

  it('mark an issue that waits as blocked, with its reason [US-3.2/2] [US-6.3/8]', async () => {
    const { app, root } = await aProject({ architect: () => 'SQLite.' });
    expect(await readyRows(app)).toMatchObject([{ label: '#1 Health endpoint', kind: 'agentx.issue' }]);
    await app.openAsk({ ...ASK, blocking: true });
    const reason = 'BLOCKED: Clarification CLR-1-001 pending from architect';
    expect(await readyRows(app)).toMatchObject([{ label: '#1 Health endpoint', badge: 'B', description: reason }]);
    await app.escalate({ clarificationId: 'CLR-1-001', reason: 'It takes too long.' });
    const [row] = await readyRows(app);
    expect(row).toMatchObject({ badge: 'B', description: 'BLOCKED: Clarification CLR-1-001 pending from you' });
    expect(row?.command).toMatchObject({ name: 'agentx.answerQuestion', argument: { root } });
  });

  it('of issues that have not changed are the same objects, so that nothing is made or compared again', async () => {
    const { app } = await aProject();
    await app.createIssue({ title: 'Another' });
    // A file that changed a moment ago is read again at the next look.
    const before = await until(async () => {
      const [first, second] = [await readyRows(app), await readyRows(app)];
      return first.every((row, index) => row === second[index]) && second;
    });
    await app.createIssue({ title: 'Third' });
    const after = await readyRows(app);
    expect(after.map(({ label }) => label)).toEqual(['#1 Health endpoint', '#2 Another', '#3 Third']);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  it('list what waits for the person, oldest first, with the time that is left', async () => {
    const { app } = await aProject({ architect: () => 'SQLite.' });
    const ask = (text: string) =>
      app.askHumans({
        agent: 'engineer',
        issueNumber: 1,
        source: 'execute',
        sourceId: '1',
        questions: [{ text, options: [{ id: 'a', label: 'Yes' }] }],
        fallback: { optionId: 'a' },
      });
    const first = await ask('Keep [logs](command:x)?');
    await ask('Sign them?');
    const rows = await inboxRows(app);
    expect(rows.map(({ label }) => label)).toEqual(['Keep [logs](command:x)?', 'Sign them?']);
    expect(rows[0]).toMatchObject({ id: `question/${first.id}`, deadline: first.expiresAt, kind: 'agentx.question' });
    const now = new Date(Date.parse(first.expiresAt ?? '') - 272_000).toISOString();
    expect(rows[0] && labelOf(rows[0], now)).toBe('in 4:32: Keep [logs](command:x)?');
    expect(rows[0]?.description).toBe('#1 Engineer');
    expect(tickingRows(rows, now, 1)).toHaveLength(2);
  });

  it('group threads by issue, and name what cannot be read beside the rest', async () => {
    const { app, root } = await aProject({ architect: () => 'SQLite.' });
    await app.openAsk(ASK);
    mkdirSync(join(root, 'state/clarifications'), { recursive: true });
    writeFileSync(join(root, 'state/clarifications/issue-7.json'), '{ not json');
    const rows = new ClarificationRows();
    const [damaged, issue] = await rows.read(app, 'everything');
    expect(damaged).toMatchObject({ icon: 'warning', command: { name: 'agentx.doctor' } });
    expect(damaged?.label).toContain('issue-7.json');
    expect(issue).toMatchObject({ label: '#1', description: '1 open', isOpen: true });
    const [record] = issue?.children ?? [];
    expect(record).toMatchObject({ label: 'Database', description: 'CLR-1-001 Engineer -> Architect, pending' });
    expect(record?.children).toMatchObject([{ label: 'Engineer', description: 'Which **one**?' }]);

    rmSync(join(root, 'state/clarifications/issue-7.json'));
    expect(await rows.read(app, new Set(['clarifications/7']))).toEqual([issue]);
    await app.createIssue({ title: 'Another' });
    await app.openAsk({ ...ASK, issueNumber: 2 });
    const after = await rows.read(app, new Set(['clarifications/2']));
    expect(after.map(({ label }) => label)).toEqual(['#1', '#2']);
    // What did not differ was not read again.
    const again = await rows.read(app, new Set(['clarifications/2']));
    expect(again[0]).toBe(after[0]);
    expect(again[1]).not.toBe(after[1]);
    writeFileSync(join(root, 'state/clarifications/issue-2.json'), '{ not json');
    const rowsOfBroken = await rows.read(app, new Set(['clarifications/2']));
    expect(rowsOfBroken.map(({ icon }) => icon)).toEqual(['warning', 'comment-discussion']);
  });

  it('list assumptions, those that stand first', async () => {
    const { app } = await aProject({ architect: () => 'SQLite.' });
    for (const decision of ['SQLite', 'UTC']) {
      const assumption = { decision, reasoning: 'cheap', confidence: 'low', risk_if_wrong: 'rework' } as const;
      await app.recordAssumption({ issueNumber: 1, agent: 'engineer', origin: decision, assumption });
    }
    await app.confirmAssumption({ id: 'ASM-1-001', by: 'ada' });
    expect((await assumptionRows(app)).map(({ label, icon }) => `${label} ${icon}`)).toEqual([
      'UTC lightbulb',
      'SQLite pass',
    ]);
  });
});

describe('what is drawn anew', () => {
  const row = (id: string, label = id): Row => ({ id, label });

  it('is everything if rows come, go or move, else the rows that differ', () => {
    const before = [row('a'), row('b')];
    expect(changedRows(before, [row('a'), row('b')])).toEqual([]);
    expect(changedRows(before, [row('a'), row('b', 'other')])).toEqual([row('b', 'other')]);
    expect(changedRows(before, [row('b'), row('a')])).toBe('all');
    expect(changedRows(before, [row('a')])).toBe('all');
  });

  it('ticks by the second only where a person sees it, and for all of them every minute', () => {
    const now = '2026-01-01T00:00:00.000Z';
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      ...row(String(index)),
      deadline: '2026-01-01T00:05:00.000Z',
    }));
    expect(tickingRows(rows, now, 1)).toHaveLength(50);
    expect(tickingRows(rows, now, 60)).toHaveLength(5000);
    expect(tickingRows([{ ...row('far'), deadline: '2026-01-02T00:00:00.000Z' }], now, 1)).toEqual([]);
  });
});
