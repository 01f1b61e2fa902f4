import { describe, expect, it } from 'vitest';
import { fixedClock, refused, statusOf } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { closeIssue, reopenIssue } from '../board/issues.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { type ClaimOn, claimRefused } from '../protocol/claim.js';
import type { AgentXEventName } from '../protocol/events.js';
import { transition } from '../protocol/run.js';
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
  it('carries the steps out in the order of what they need, each agent with what was written before [US-6.2/12]', async () => {
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

  it('routes what a reply asks and gives the answer to the next turn, which resolves it [US-2.2/2] [US-2.2/28] [US-6.2/2] [US-6.2/4] [US-6.2/7]', async () => {
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
        const { items } = await store.questions.list({ status: 'open' });
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
    const claim = await hub.store.claim({ run: 1 });
    expect(await refused(run(hub))).toMatchObject({ code: 'CONFLICT' });
    await claim.release();
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(hub.briefs).toHaveLength(1);
  });

  it('is not begun anew by whoever waited for its claim until it was over', async () => {
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }) });
    const second = await run(whileWaiting(hub, () => run(hub)));
    expect(second).toMatchObject({ status: 'done', runId: (await hub.store.runs.read(1))?.id });
    expect(hub.briefs).toHaveLength(1);
  });

  it('that a human stopped meanwhile is not begun anew either, but by whoever comes later', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: { engineer: [new Error('no network')] },
    });
    const { runId, waitingOn } = await run(hub);
    await answer(hub, waitingOn[0] ?? '', { optionIds: ['stop'] });
    const second = await run(whileWaiting(hub, () => run(hub)));
    expect(second).toMatchObject({ status: 'failed', runId, reason: expect.stringContaining('code') });
    expect((await run(hub)).runId).not.toBe(runId);
  });

  it('is judged by the issue as it is when the claim is there', async () => {
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }) });
    const attempt = run(whileWaiting(hub, () => closeIssue(hub, 1)));
    expect(await refused(attempt)).toMatchObject({ code: 'INVALID_STATE' });
    expect(hub.briefs).toEqual([]);
  });

  it('leaves the issue alone where another process has taken it over', async () => {
    const lost = new AbortController();
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: {
        engineer: [
          () => {
            lost.abort(claimRefused({ run: 1 }));
            return 'Built.';
          },
        ],
      },
    });
    const claim = async (on: ClaimOn) => ({ ...(await hub.store.claim(on)), lost: lost.signal });
    const slow = { ...hub, store: { ...hub.store, claim } };
    expect(await refused(run(slow))).toMatchObject({ code: 'CONFLICT' });
    expect(await hub.store.issues.read(1)).toMatchObject({ taskStatus: 'in_progress', assignee: 'engineer' });
  });
});

/** What happens while a process waits for the claim of the run. */
function whileWaiting(hub: TestRun, work: () => Promise<unknown>): TestRun {
  const claim = async (on: ClaimOn) => {
    await work();
    return hub.store.claim(on);
  };
  return { ...hub, store: { ...hub.store, claim } };
}

describe('steps side by side', () => {
  const ask = (to: string) => ({ clarify: [{ to, topic: `Asking ${to}`, question: 'How?' }] });
  const workflow = steps(
    { id: 'prd', agent: 'product-manager' },
    { id: 'ux', agent: 'ux-designer', needs: ['prd'], can_clarify: ['product-manager', 'architect'] },
    { id: 'adr', agent: 'architect', needs: ['prd'], can_clarify: ['product-manager', 'ux-designer'] },
  );

  it('each ask upstream on their own [CL-6/1]', async () => {
    const asking = [ask('product-manager'), 'Done.'];
    const hub = await aRunHub({ workflow, turns: { 'ux-designer': asking, architect: asking } });
    expect(await run(hub)).toMatchObject({ status: 'done', summary: { rounds: 2, escalations: 0 } });
    const { clarifications } = await hub.store.ledgers.read(1);
    expect(clarifications.map(({ from, to, status }) => `${from} ${to} ${status}`)).toEqual([
      'ux-designer product-manager resolved',
      'architect product-manager resolved',
    ]);
  });

  it('may not ask each other, even where the workflow names them [CL-6/2]', async () => {
    const hub = await aRunHub({
      workflow,
      turns: { 'ux-designer': [ask('architect'), 'Done.'], architect: [ask('ux-designer'), 'Done.'] },
    });
    expect(await run(hub)).toMatchObject({ status: 'done', summary: { rounds: 0 } });
    expect(hub.briefs.flatMap(({ refused: told }) => told.map(({ code }) => code))).toEqual([
      'SCOPE_VIOLATION',
      'SCOPE_VIOLATION',
    ]);
    expect((await hub.store.ledgers.read(1)).clarifications).toEqual([]);
  });
});

describe('the steps of a run', () => {
  const failing = new Error('no network');

  it('are skipped where their condition does not hold, and the rest goes on [US-6.1/15]', async () => {
    const hub = await aRunHub({
      workflow: steps(
        { id: 'data', agent: 'data-scientist', condition: 'label:data' },
        { id: 'code', agent: 'engineer', needs: ['data'], condition: '!label:docs' },
      ),
    });
    expect(await run(hub)).toMatchObject({ status: 'done', summary: { iterations: 1 } });
    expect(hub.bus.events.filter(({ name }) => name === 'step-skipped')).toMatchObject([{ payload: { step: 'data' } }]);
  });

  it('tell an agent why its last turn failed, until one succeeds', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer', iterate: true }),
      turns: { engineer: [failing, { status: 'continue' }, 'Built.'] },
    });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    const told = [{ code: 'AGENT_ERROR', message: 'no network' }];
    expect(hub.briefs.map(({ refused: brief }) => brief)).toEqual([[], told, []]);
    expect(hub.briefs[1]?.prompt).toContain('## What did not work in your last turn\n\n- no network');
  });

  it('ask what next when an agent fails twice, try again, and skip', async () => {
    const workflow = steps({ id: 'code', agent: 'engineer' }, { id: 'review', agent: 'reviewer', needs: ['code'] });
    const hub = await aRunHub({ workflow, turns: { engineer: [failing, failing, failing, failing, 'Built.'] } });
    const first = await run(hub);
    expect(first).toMatchObject({ status: 'paused', summary: { iterations: 2 } });
    await answer(hub, first.waitingOn[0] ?? '', { optionIds: ['retry'], text: 'The cable is in now.' });
    const second = await run(hub);
    expect(second).toMatchObject({ status: 'paused', summary: { iterations: 4 } });
    expect(hub.briefs[2]?.answers).toMatchObject([{ answer: expect.stringContaining('The cable is in now.') }]);
    await answer(hub, second.waitingOn[0] ?? '', { optionIds: ['skip'] });
    expect(await run(hub)).toMatchObject({ status: 'done', summary: { iterations: 5 } });
  });

  it('end the run where a human wants to stop; the next run begins anew', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }),
      turns: { engineer: [failing, failing, 'Built.'] },
    });
    const first = await run(hub);
    await answer(hub, first.waitingOn[0] ?? '', { optionIds: ['stop'] });
    expect(await run(hub)).toMatchObject({ status: 'failed', reason: "Step 'code' was given up." });
    expect(await hub.store.issues.read(1)).toMatchObject({ taskStatus: 'open', assignee: null });
    const third = await run(hub);
    expect(third).toMatchObject({ status: 'done' });
    expect(third.runId).not.toBe(first.runId);
  });

  it('that a human stops leave nobody done who is not: who failed is stuck, the others are at nothing', async () => {
    const workflow = steps(
      { id: 'design', agent: 'architect' },
      { id: 'code', agent: 'engineer', needs: ['design'] },
      { id: 'test', agent: 'tester', needs: ['design'] },
    );
    const asks = { open_questions: ['Which browsers?'] };
    const turns = { architect: ['Designed.'], engineer: [failing, failing, 'Built.'], tester: [asks, 'Tested.'] };
    const hub = await aRunHub({ workflow, turns });
    const { waitingOn } = await run(hub);
    const questions = await Promise.all(waitingOn.map((id) => hub.store.questions.read(id)));
    const failed = questions.find((question) => question?.kind === 'agent_failed');
    await answer(hub, failed?.id ?? '', { optionIds: ['stop'] });
    expect(await run(hub)).toMatchObject({ status: 'failed' });
    const statuses = await hub.store.statuses.read();
    expect(statuses).toMatchObject({
      architect: { status: 'done' },
      engineer: { status: 'stuck' },
      tester: { status: 'idle' },
    });
    expect(await hub.store.issues.read(1)).toMatchObject({ taskStatus: 'open', assignee: null });
    const asked = questions.find((question) => question?.kind === 'open_question');
    expect(await hub.store.questions.read(asked?.id ?? '')).toMatchObject({
      outcome: 'superseded',
      reason: 'the run that asked was stopped',
    });
  });

  it('that are gone on without end what they asked beside', async () => {
    const beside = { status: 'continue' as const, open_questions: [{ text: 'Which browsers?', blocking: false }] };
    const workflow = steps({ id: 'code', agent: 'engineer', iterate: true });
    const hub = await aRunHub({ workflow, turns: { engineer: [beside, failing] } });
    const { waitingOn } = await run(hub);
    await answer(hub, waitingOn[0] ?? '', { optionIds: ['skip'] });
    await run(hub);
    const { items } = await hub.store.questions.list({ issue: 1 });
    expect(items.find(({ kind }) => kind === 'open_question')).toMatchObject({
      outcome: 'superseded',
      reason: "step 'code' was skipped",
    });
  });

  it('leave an issue that a person closed meanwhile where it is on the board', async () => {
    const closing = async () => {
      await closeIssue(hub, 1);
      return 'Planned.';
    };
    const workflow = steps(
      { id: 'plan', agent: 'architect' },
      { id: 'code', agent: 'engineer', needs: ['plan'], status_on_start: 'In Review' },
    );
    const hub: TestRun = await aRunHub({ workflow, turns: { architect: [closing], engineer: ['Built.'] } });
    await run(hub);
    expect(await hub.store.issues.read(1)).toMatchObject({ state: 'closed', status: 'Done' });
  });

  it('that are gone on without, or fail where they may, do not leave their agent done', async () => {
    const workflow = steps(
      { id: 'data', agent: 'data-scientist', optional: true },
      { id: 'code', agent: 'engineer', needs: ['data'] },
    );
    const hub = await aRunHub({ workflow, turns: { 'data-scientist': [failing], engineer: [failing] } });
    const { waitingOn } = await run(hub);
    await answer(hub, waitingOn[0] ?? '', { optionIds: ['skip'] });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(await hub.store.statuses.read()).toMatchObject({
      'data-scientist': { status: 'idle' },
      engineer: { status: 'idle' },
    });
  });

  it('that are optional may fail without stopping anybody [US-6.1/15]', async () => {
    const hub = await aRunHub({
      workflow: steps(
        { id: 'data', agent: 'data-scientist', optional: true },
        { id: 'code', agent: 'engineer', needs: ['data'] },
      ),
      turns: { 'data-scientist': [failing] },
    });
    expect(await run(hub)).toMatchObject({ status: 'done', summary: { iterations: 3 } });
  });

  it('go round until they are done, and know how often they did [US-6.1/16]', async () => {
    const hub = await aRunHub({
      workflow: steps({
        id: 'code',
        agent: 'engineer',
        iterate: true,
        max_iterations: 3,
        completion_criteria: 'Green',
      }),
      turns: { engineer: [{ status: 'continue' }, { status: 'continue' }, { status: 'done' }] },
    });
    expect(await run(hub)).toMatchObject({ status: 'done' });
    expect(hub.briefs.map(({ step }) => step?.iteration)).toEqual([1, 2, 3]);
    expect(hub.briefs[2]?.prompt).toContain('Round 3 of at most 3. It is done when: Green');
  });

  it('ask a human when they went round too often [US-6.1/16]', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer', iterate: true, max_iterations: 2 }),
      turns: { engineer: [{ status: 'continue' }] },
    });
    expect(await run(hub)).toMatchObject({ status: 'paused', summary: { iterations: 2 } });
    expect((await hub.store.questions.list({ status: 'open' })).items).toMatchObject([{ kind: 'agent_failed' }]);
  });

  it('move the issue on the board and fill in what they are called and write [US-6.1/17]', async () => {
    const first = {
      id: 'prd',
      title: 'Plan {{title}}',
      agent: 'product-manager',
      output: 'docs/{{slug}}-{{issue_number}}.md',
    };
    const hub = await aRunHub({
      workflow: steps({ ...first, status_on_start: 'Validating' }, { id: 'code', agent: 'engineer', needs: ['prd'] }),
    });
    await run(hub);
    expect(hub.briefs[0]?.step).toMatchObject({
      title: 'Plan Add a health endpoint',
      output: 'docs/add-a-health-endpoint-1.md',
    });
    expect([...hub.files.keys()]).toEqual(['docs/add-a-health-endpoint-1.md']);
    expect((await hub.store.issues.read(1))?.status).toBe('Validating');
    const last = await aRunHub({ workflow: steps({ ...first, status_on_complete: 'In Review' }) });
    await run(last);
    expect((await last.store.issues.read(1))?.status).toBe('In Review');
  });

  it('are done again when a review sends them back, with what it said', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }, { id: 'review', agent: 'reviewer', needs: ['code'] }),
      turns: { reviewer: [{ review: { verdict: 'rejected', cause: 'misunderstanding', body: 'No tests.' } }, 'Good.'] },
    });
    expect(await run(hub)).toMatchObject({ status: 'done', summary: { iterations: 4 } });
    expect(hub.briefs[2]?.step).toMatchObject({
      attempt: 2,
      turn: 2,
      review: { by: 'review', cause: 'misunderstanding', body: 'No tests.' },
    });
    expect(
      (await hub.store.sessions.list({ issue: 1 })).items.map(({ id }) => id.split('.').slice(1).join('.')).toSorted(),
    ).toEqual(['code.1', 'code.2', 'review.1', 'review.2']);
    expect(kindsOf(hub, 'steps-reopened', 'context-compacted')).toHaveLength(5);
  });

  it("that are a person's go through the inbox, and may send work back", async () => {
    const workflow = steps({ id: 'code', agent: 'engineer' }, { id: 'review', agent: 'reviewer', needs: ['code'] });
    const hub = await aRunHub({ workflow });
    const { runnerFor } = hub;
    const withPerson: TestRun = {
      ...hub,
      runnerFor: (agent) => (agent === 'reviewer' ? { ...runnerFor(agent), isHuman: true } : runnerFor(agent)),
    };
    const first = await run(withPerson);
    expect(first.status).toBe('paused');
    await answer(hub, first.waitingOn[0] ?? '', { optionIds: ['back'], text: 'No tests.' });
    const second = await run(withPerson);
    expect(hub.briefs.at(-1)?.step?.review?.body).toContain('No tests.');
    expect(second.waitingOn).not.toEqual(first.waitingOn);
    await answer(hub, second.waitingOn[0] ?? '', { optionIds: ['done'] });
    expect(await run(withPerson)).toMatchObject({ status: 'done', summary: { iterations: 4 } });
  });
});

describe('a run that goes on', () => {
  const paused = (brief: { readonly answers: readonly unknown[] }) =>
    brief.answers.length > 0 ? 'Built.' : { open_questions: ['Which colour?'] };

  it('keeps the workflow it began with and says that the file has changed', async () => {
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }), turns: { engineer: [paused] } });
    const { waitingOn } = await run(hub);
    const other = steps({ id: 'other', agent: 'tester' });
    const changed: TestRun = { ...hub, workflows: { forIssue: async () => other, named: async () => other } };
    await answer(hub, waitingOn[0] ?? '', { text: 'Blue' });
    expect(await run(changed)).toMatchObject({ status: 'done', summary: { iterations: 2 } });
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['engineer', 'engineer']);
    expect(hub.bus.events.filter(({ name }) => name === 'run-started')).toMatchObject([
      { payload: { isResumed: false } },
      {
        payload: {
          isResumed: true,
          notice: expect.stringContaining('The run goes on with the workflow it began with.'),
        },
      },
    ]);
  });

  it('does steps again that a human wants done again, while it waits', async () => {
    const hub = await aRunHub({
      workflow: steps({ id: 'code', agent: 'engineer' }, { id: 'docs', agent: 'analyst' }),
      turns: { analyst: [paused] },
    });
    const { waitingOn } = await run(hub);
    await hub.store.runs.update(1, (found) => {
      if (found === undefined) throw new Error('there is no run');
      const at = hub.clock.now();
      return {
        next: transition(found, { type: 'record', at, facts: [{ type: 'reopened', at, steps: ['code'] }] }),
        result: undefined,
      };
    });
    expect(await run(hub)).toMatchObject({ status: 'paused', waitingOn });
    expect(hub.briefs.map(({ agent }) => agent)).toEqual(['engineer', 'analyst', 'engineer']);
  });

  it('is left as it is when it is broken off: agents are ended and nothing of them is recorded', async () => {
    const stop = new AbortController();
    const heard: boolean[] = [];
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }) });
    const slow: TestRun = {
      ...hub,
      runnerFor: () => ({
        run: (_, options) =>
          new Promise((_resolve, reject) => {
            options?.signal?.addEventListener('abort', () => {
              heard.push(true);
              reject(new Error('ended'));
            });
            queueMicrotask(() => stop.abort());
          }),
      }),
    };
    expect(await run(slow, { signal: stop.signal })).toMatchObject({
      status: 'paused',
      waitingOn: [],
      summary: { iterations: 0 },
    });
    expect(heard).toEqual([true]);
    expect(await hub.store.issues.read(1)).toMatchObject({ taskStatus: 'open', assignee: null });
    expect(await run(hub)).toMatchObject({ status: 'done', summary: { iterations: 1 } });
  });

  it('is begun anew when the issue was opened again', async () => {
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'engineer' }) });
    const first = await run(hub);
    await reopenIssue(hub, 1);
    const second = await run(hub);
    expect(second.runId).not.toBe(first.runId);
    expect(hub.briefs).toHaveLength(2);
  });
});

describe('a run that cannot begin', () => {
  it.each([
    ['an issue that is not there', { issueNumber: 99 }, 'NOT_FOUND'],
    ['a number that is none', { issueNumber: -1 }, 'INVALID_INPUT'],
  ])('says why: %s', async (_, request, code) => {
    const hub = await aRunHub();
    expect(await refused(run(hub, request))).toMatchObject({ code });
  });

  it('leaves nothing behind when an agent has no runner', async () => {
    const hub = await aRunHub({ workflow: steps({ id: 'code', agent: 'nobody' }) });
    expect(await refused(run(hub))).toMatchObject({ code: 'CONFIG_ERROR' });
    expect(await hub.store.runs.read(1)).toBeUndefined();
    expect(await refused(run(hub))).toMatchObject({ code: 'CONFIG_ERROR' });
  });

  it('does not run a closed issue', async () => {
    const hub = await aRunHub();
    await closeIssue(hub, 1);
    expect(await refused(run(hub))).toMatchObject({ code: 'INVALID_STATE' });
  });
});
