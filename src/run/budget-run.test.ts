import { describe, expect, it } from 'vitest';
import { refused } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import type { LocatedWorkflow } from '../ports/workflows.js';
import type { Brief } from '../protocol/brief.js';
import type { Reply } from '../protocol/reply.js';
import { NO_USAGE } from '../protocol/usage.js';
import { runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;

type Says = (brief: Brief) => Reply | Promise<Reply>;

/** Agents on models: every turn uses a hundred tokens, and so many are allowed. */
async function aThriftyRun(
  workflow: LocatedWorkflow,
  says: Readonly<Record<string, Says>>,
  { maxTokens = 100 } = {},
): Promise<TestRun> {
  const hub = await aRunHub({ workflow });
  return {
    ...hub,
    limits: { maxCost: 0, maxTokens },
    runnerFor: (agent) => ({
      run: async (brief, { keep, transcript } = {}) => {
        const inputTokens = (transcript?.usage?.inputTokens ?? 0) + 100;
        await keep?.({ format: 'test/1', state: [], usage: { ...NO_USAGE, inputTokens, calls: 1 } });
        return (await says[agent]?.(brief)) ?? { text: 'Done.' };
      },
    }),
  };
}

/** Looks as long as other work goes on at once. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let looks = 0; looks < 10_000 && !(await isSo()); looks++);
}

const openIn = async (hub: TestRun) => (await hub.store.questions.list({ status: 'open' })).items;

async function letOn(hub: TestRun): Promise<void> {
  const [question] = await openIn(hub);
  await answerQuestion(hub, { id: question?.id ?? '', optionIds: ['more'], by: { principal: 'ada', channel: 'cli' } });
}

const ASKS_ASIDE: Says = () => ({
  status: 'done',
  text: 'Built.',
  clarify: [{ to: 'architect', topic: 'Database', question: 'SQLite or PostgreSQL?', blocking: false }],
});

describe('a run that has used what it may', () => {
  it('goes on only if a person says so: a no in words is none', async () => {
    const hub = await aThriftyRun(
      steps({ id: 'plan', agent: 'architect' }, { id: 'code', agent: 'engineer', needs: ['plan'] }),
      {},
    );
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'paused' });
    const [{ id } = { id: '' }] = await openIn(hub);
    const by = { principal: 'ada', channel: 'cli' } as const;
    for (const text of ['No', 'no, that is too much', 'not now', 'use a cheaper model']) {
      expect(await refused(answerQuestion(hub, { id, text, by }))).toMatchObject({ code: 'INVALID_INPUT' });
    }
    await answerQuestion(hub, { id, text: 'Stop the run, please', by });
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'failed' });
  });

  it('asks before a target answers, even if no step is under way any more', async () => {
    const broken = new AbortController();
    const hub = await aThriftyRun(
      steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'] }),
      {
        engineer: ASKS_ASIDE,
        architect: async () => {
          await until(async () => (await hub.store.runs.read(1))?.journal.at(-1)?.type === 'step-ended');
          broken.abort();
          return { answer: 'SQLite.' };
        },
      },
      { maxTokens: 1000 },
    );
    expect(await runIssue(hub, { ...ONE, signal: broken.signal })).toMatchObject({ status: 'paused' });
    const limited = { ...hub, limits: { maxCost: 0, maxTokens: 100 } };
    expect(await runIssue(limited, ONE)).toMatchObject({ status: 'paused' });
    expect(await openIn(hub)).toMatchObject([{ kind: 'agent_failed', questions: [{ header: 'Budget' }] }]);
    await letOn(hub);
    expect(await runIssue(limited, ONE)).toMatchObject({ status: 'done' });
    expect((await hub.store.ledgers.read(1)).clarifications).toMatchObject([{ status: 'resolved' }]);
  });

  it('still asks when the step that was under way is given up', async () => {
    const turns: string[] = [];
    const hub = await aThriftyRun(
      steps({ id: 'lint', agent: 'tester', optional: true }, { id: 'code', agent: 'engineer' }),
      {
        tester: async ({ step }) => {
          turns.push('tester');
          if (step?.turn === 2) await until(async () => (await openIn(hub)).length > 0);
          throw new Error('no linter');
        },
        engineer: async ({ step }) => {
          if (step?.turn === 1) await until(() => turns.length > 1);
          return { status: step?.turn === 1 ? 'continue' : 'done', text: 'Built.' };
        },
      },
      { maxTokens: 150 },
    );
    const result = await runIssue(hub, ONE);
    expect(result).toMatchObject({ status: 'paused' });
    await letOn(hub);
    expect(await runIssue(hub, ONE)).toMatchObject({ status: 'done' });
  });
});
