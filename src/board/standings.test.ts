import { describe, expect, it } from 'vitest';
import { anIssue } from '../../test/builders/issue.js';
import { aQuestion } from '../../test/builders/question.js';
import { aRun } from '../../test/builders/run.js';
import { AgentXError } from '../protocol/errors.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { unfinishedRuns, whoIsAtWhat } from './standings.js';

it('an agent whose run was interrupted is idle once its issue is closed', async () => {
  const store = openInMemoryStore();
  const { number: _, ...draft } = anIssue({ state: 'open' });
  const { number } = await store.issues.create(draft);
  await store.runs.update(number, () => ({
    next: aRun({ issueNumber: number, status: 'running' }),
    result: undefined,
  }));
  const at = '2026-02-26T10:00:00.000Z';
  const entry = { status: 'working' as const, issue: number, lastActivity: at };
  await store.statuses.update(['engineer'], (file) => ({ next: { ...file, engineer: entry }, result: undefined }));
  const looking = { store, clock: { now: () => at } };
  expect((await whoIsAtWhat(looking)).agents.engineer).toMatchObject({ status: 'interrupted' });
  await store.issues.update(number, (issue) => ({ next: { ...issue, state: 'closed' }, result: undefined }));
  expect((await whoIsAtWhat(looking)).agents.engineer).toEqual({ ...entry, status: 'idle' });
});

it('what agents do is told though an issue is damaged', async () => {
  const store = openInMemoryStore();
  await store.runs.update(1, () => ({ next: aRun({ issueNumber: 1, status: 'running' }), result: undefined }));
  const at = '2026-02-26T10:00:00.000Z';
  const entry = { status: 'working' as const, issue: 1, lastActivity: at };
  await store.statuses.update(['engineer'], (file) => ({ next: { ...file, engineer: entry }, result: undefined }));
  const error = new AgentXError('CORRUPT_FILE', 'issues/1.json is damaged.');
  const issues = { ...store.issues, read: () => Promise.reject(error) };
  const { agents, damaged } = await whoIsAtWhat({ store: { ...store, issues }, clock: { now: () => at } });
  expect(agents.engineer).toMatchObject({ status: 'interrupted' });
  expect(damaged).toEqual([error]);
});

describe('runs that have not ended', () => {
  it('are looked at with the questions that they wait for, and with no others', async () => {
    const store = openInMemoryStore();
    const { number: _, ...draft } = anIssue();
    const { number } = await store.issues.create(draft);
    await store.questions.create(aQuestion({ id: 'oq-1' }));
    const waiting = aRun({ issueNumber: number, status: 'paused', waitingOn: ['oq-1', 'oq-2', 'oq-3'] });
    await store.runs.update(number, () => ({ next: waiting, result: undefined }));
    const asked: string[] = [];
    const damage = new AgentXError('CORRUPT_FILE', 'oq-3.json is damaged.', {});
    const questions = {
      ...store.questions,
      read: async (id: string) => {
        asked.push(id);
        if (id === 'oq-3') throw damage;
        return store.questions.read(id);
      },
      summaries: () => Promise.reject(new Error('All questions were listed.')),
    };
    expect(await unfinishedRuns({ store: { ...store, questions } })).toMatchObject({
      items: [{ issueNumber: number, status: 'paused', ended: ['oq-2', 'oq-3'], goOn: `agentx run ${number}` }],
      damaged: [damage],
    });
    expect(asked).toEqual(['oq-1', 'oq-2', 'oq-3']);
  });
});
