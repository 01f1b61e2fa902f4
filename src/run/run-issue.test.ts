import { describe, expect, it } from 'vitest';
import { fixedClock, refused, statusOf, type Turn } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import type { AgentXEventName } from '../protocol/events.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { type RunRequest, runIssue } from './run-issue.js';

const ONE = { issueNumber: 1, wait: false } as const;
const run = (hub: TestRun, fields: Partial<RunRequest> = {}) => runIssue(hub, { ...ONE, ...fields });

const asked = (brief: { readonly clarifications: readonly unknown[] }) => brief.clarifications.length > 0;
const question = (fields: Readonly<Record<string, unknown>> = {}) => ({
  to: 'architect',
  topic: 'Database',
  question: 'SQLite or PostgreSQL?',
  ...fields,
});

async function answer(hub: TestRun, id: string, fields: { optionIds?: string[]; text?: string }) {
  await answerQuestion(hub, { id, by: { principal: 'ada', channel: 'cli' }, ...fields });
}

const kindsOf = (hub: TestRun, ...names: AgentXEventName[]) => hub.bus.names().filter((name) => names.includes(name));

describe('a run', () => {
  it('carries the steps out in the order of what they need, each agent with what was written before', async () => {
    const hub = await aRunHub({
      workflow: steps(
        { id: 'prd', agent: 'product-manager', output: 'docs/PRD-{{issue_number}}.md', status_on_start: 'Ready' },
        { id: 'ux', agent: 'ux-designer', needs: ['prd'] },
        { id: 'adr', agent: 'architect', needs: ['prd'] },
        { id: 'code', agent: 'engineer', needs: ['ux', 'adr'], status_on_complete: 'In Review' },
      ),
      turns: {
        'product-manager': [{ artifacts: [{ path: 'docs/PRD-1.md', content: 'Fast.' }] }],
        engineer: [{ text: 'Built.', artifacts: [{ path: 'src/a.ts', content: 'x' }] }],
      },
    });
    const result = await run(hub);
    expect(result).toMatchObject({ status: 'done', issueNumber: 1, waitingOn: [] });
    expect(result.summary).toMatchObject({ iterations: 4, artifacts: ['docs/PRD-1.md', 'src/a.ts'], rounds: 0 });
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['product-manager', 'ux-designer', 'architect', 'engineer']);
    expect(hub.briefs[3]?.artifacts).toEqual([{ path: 'docs/PRD-1.md', agent: 'product-manager', content: 'Fast.' }]);
    expect(hub.briefs[3]?.prompt).toContain('Fast.');
    expect(await hub.store.issues.read(1)).toMatchObject({ taskStatus: 'done', status: 'In Review', assignee: null });
    expect(await statusOf(hub, 'engineer')).toMatchObject({ status: 'done' });
    expect((await hub.store.runs.read(1))?.phase).toBe('execution');
    expect(kindsOf(hub, 'run-started', 'step-started', 'step-ended', 'run-finished')).toHaveLength(10);
  });

  it('routes what a reply asks and gives the answer to the next turn, which resolves it [US-2.2/2]', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer', can_clarify: ['architect'] }),
      turns: {
        engineer: [(brief) => (asked(brief) ? { text: 'Built.' } : { clarify: [question()] })],
        architect: ['Use SQLite.'],
      },
    });
    const result = await run(hub);
    expect(result).toMatchObject({ status: 'done', summary: { rounds: 1, iterations: 2 } });
    expect(hub.briefs.map(({ agent, kind }) => `${agent} ${kind}`)).toEqual([
      'engineer work',
      'architect answer',
      'engineer work',
    ]);
    expect(hub.briefs[2]?.clarifications).toMatchObject([{ status: 'answered', answer: 'Use SQLite.' }]);
    const [record] = (await hub.store.ledgers.read(1)).clarifications;
    expect(record).toMatchObject({ status: 'resolved', thread: [{}, {}, { body: 'Proceeding.' }] });
  });

  it('pauses for a human and goes on when the question is answered', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: {
        engineer: [(brief) => (brief.answers.length > 0 ? { text: 'Built.' } : { open_questions: ['Which colour?'] })],
      },
    });
    const first = await run(hub);
    expect(first).toMatchObject({ status: 'paused', waitingOn: [expect.stringMatching(/^oq-/)] });
    expect(await run(hub)).toMatchObject({ status: 'paused', waitingOn: first.waitingOn });
    expect(hub.briefs).toHaveLength(1);
    await answer(hub, first.waitingOn[0] ?? '', { text: 'Blue' });
    expect(await run(hub)).toMatchObject({ status: 'done', runId: first.runId });
    expect(hub.briefs[1]?.answers).toMatchObject([{ text: 'Which colour?', answer: 'Blue', outcome: 'answered' }]);
  });

  it('stays where it is told to wait, and hears an answer that comes from anywhere', async () => {
    const store = openInMemoryStore();
    const hub: TestRun = await aRunHub({
      store,
      clock: fixedClock(undefined, async () => {
        const { items } = await store.questions.listOpen();
        for (const { id } of items) await answer(hub, id, { text: 'Blue' });
      }),
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: { engineer: [(brief) => (brief.answers.length > 0 ? 'Built.' : { open_questions: ['Which colour?'] })] },
    });
    expect(await run(hub, { wait: true })).toMatchObject({ status: 'done' });
    expect(kindsOf(hub, 'run-paused', 'run-resumed')).toEqual(['run-paused', 'run-resumed']);
  });

  it('is refused to a second process, and free again when the first is done', async () => {
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }) });
    const claim = await hub.store.runs.claim(1);
    expect(await refused(run(hub))).toMatchObject({ code: 'CONFLICT' });
    claim.release();
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(hub.briefs).toHaveLength(1);
  });
});
