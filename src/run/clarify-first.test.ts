import { describe, expect, it } from 'vitest';
import { fixedClock, refused, type Turn } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun, type TestRunOptions } from '../../test/builders/run-ports.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { KNOWN_AGENTS } from '../protocol/ids.js';
import type { Reply } from '../protocol/reply.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { type RunRequest, runIssue } from './run-issue.js';

const WORKFLOW = steps(
  { id: 'design', agent: 'architect' },
  { id: 'tests', agent: 'tester' },
  { id: 'code', agent: 'engineer', needs: ['design', 'tests'] },
);
const BATCH: Reply = {
  open_questions: [
    { text: 'Which region?', options: ['EU', 'US'], fallback: { option: 'a', reasoning: 'the stricter law' } },
    { text: 'Which currency?', options: ['EUR', 'USD'], fallback: { option: 'b', reasoning: 'most customers pay so' } },
  ],
};

type Options = TestRunOptions & { readonly asks?: readonly Turn[] };

/** Agents of which the requirements engineer has a table of its own. */
function aHub({ asks = [BATCH], ...options }: Options = {}): Promise<TestRun> {
  return aRunHub({
    workflow: WORKFLOW,
    agents: [...KNOWN_AGENTS, 'requirements-engineer'],
    ...options,
    turns: { 'requirements-engineer': asks, ...options.turns },
  });
}

const first = (hub: TestRun, fields: Partial<RunRequest> = {}) =>
  runIssue(hub, { issueNumber: 1, wait: false, clarifyFirst: true, ...fields });
const goOn = (hub: TestRun) => first(hub, { clarifyFirst: false });
const agentsOf = (hub: TestRun) => hub.briefs.map(({ agent }) => agent);

async function answerAll(hub: TestRun, options: readonly string[]) {
  const [question] = (await hub.store.questions.list({ status: 'open' })).items;
  const responses = (question?.questions ?? []).map(({ id }, index) => ({
    questionId: id,
    optionIds: [options[index] ?? ''],
  }));
  await answerQuestion(hub, { id: question?.id ?? '', by: { principal: 'ada', channel: 'cli' }, responses });
}

describe('a run that clarifies first', () => {
  it('has all that is unclear asked at once, before any step begins [PM-1/1]', async () => {
    const hub = await aHub();
    const result = await first(hub);
    expect(result).toMatchObject({ status: 'paused', waitingOn: [expect.stringMatching(/^oq-/)] });
    expect(agentsOf(hub)).toEqual(['requirements-engineer']);
    expect(hub.briefs[0]).toMatchObject({ kind: 'work', step: { id: 'clarify-first', can_clarify: [] } });
    expect(hub.briefs[0]?.prompt).toContain('ask whatever is still unclear in one batch');
    expect((await hub.store.questions.list({ status: 'open' })).items).toMatchObject([
      { kind: 'open_question', source: 'prd', questions: [{ text: 'Which region?' }, { text: 'Which currency?' }] },
    ]);
    expect((await hub.store.runs.read(1))?.phase).toBe('planning');
  });

  it('asks once, and gives the answers to every later step', async () => {
    const hub = await aHub();
    await first(hub);
    await answerAll(hub, ['b', 'a']);
    expect(await goOn(hub)).toMatchObject({ status: 'done' });
    expect(agentsOf(hub)).toEqual(['requirements-engineer', 'architect', 'tester', 'engineer']);
    for (const { answers, prompt } of hub.briefs.slice(1)) {
      expect(answers).toMatchObject([
        { text: 'Which region?', answer: 'US', outcome: 'answered' },
        { text: 'Which currency?', answer: 'EUR', outcome: 'answered' },
      ]);
      expect(prompt).toContain('- Which region? -> US');
    }
  });

  it('goes on at once where nothing is unclear', async () => {
    const hub = await aHub({ asks: ['All is clear.'] });
    expect(await first(hub)).toMatchObject({ status: 'done', summary: { iterations: 4 } });
    expect((await hub.store.questions.list()).items).toEqual([]);
    expect(hub.briefs[1]?.answers).toEqual([]);
  });

  it('has the product manager ask where no requirements engineer is configured', async () => {
    const hub = await aRunHub({ workflow: WORKFLOW, turns: { 'product-manager': [BATCH] } });
    expect(await first(hub)).toMatchObject({ status: 'paused' });
    expect(agentsOf(hub)).toEqual(['product-manager']);
  });

  it('waits for the answers even if whoever asked would not', async () => {
    const hub = await aHub({ asks: [{ open_questions: [{ text: 'Which region?', blocking: false }] }] });
    expect(await first(hub)).toMatchObject({ status: 'paused' });
    expect(agentsOf(hub)).toEqual(['requirements-engineer']);
  });

  it('is told what could not be asked, and asks again', async () => {
    const tooMany = { open_questions: Array.from({ length: 21 }, (_, index) => `Question ${index}?`) };
    const hub = await aHub({ asks: [tooMany, BATCH] });
    expect(await first(hub)).toMatchObject({ status: 'paused' });
    expect(agentsOf(hub)).toEqual(['requirements-engineer', 'requirements-engineer']);
    expect(hub.briefs[1]?.refused).toMatchObject([{ code: 'INVALID_INPUT' }]);
  });

  it('asks nothing before the run that was not told to [PM-1/2]', async () => {
    const hub = await aHub();
    expect(await goOn(hub)).toMatchObject({ status: 'done' });
    expect(agentsOf(hub)).toEqual(['architect', 'tester', 'engineer']);
    expect((await hub.store.questions.list()).items).toEqual([]);
  });

  it('does not send work back to the questions', async () => {
    const rejected = { review: { verdict: 'rejected' as const, body: 'Once more.' } };
    const hub = await aHub({ asks: ['All is clear.'], turns: { architect: [rejected, 'Done.'] } });
    expect(await first(hub)).toMatchObject({ status: 'done' });
    expect(agentsOf(hub).filter((agent) => agent === 'requirements-engineer')).toHaveLength(1);
    expect(agentsOf(hub).filter((agent) => agent === 'architect')).toHaveLength(2);
  });
});

describe('going on with a run that clarified first', () => {
  it('needs no option, and the option does no harm', async () => {
    const hub = await aHub();
    const { runId } = await first(hub);
    expect(await first(hub)).toMatchObject({ runId, status: 'paused' });
    expect(agentsOf(hub)).toEqual(['requirements-engineer']);
    await answerAll(hub, ['a', 'a']);
    expect(await first(hub)).toMatchObject({ runId, status: 'done' });
    expect(hub.bus.events.flatMap(({ payload }) => ('notice' in payload ? [payload.notice] : []))).toEqual([]);
  });

  it('is told where the workflow has changed meanwhile, and ends as it began', async () => {
    const hub = await aHub();
    await first(hub);
    await answerAll(hub, ['a', 'a']);
    const other = steps({ id: 'code', agent: 'engineer' });
    const changed = { ...hub, workflows: { forIssue: async () => other, named: async () => other } };
    expect(await goOn(changed)).toMatchObject({ status: 'done', summary: { iterations: 4 } });
    expect(hub.bus.events.flatMap(({ payload }) => ('notice' in payload ? [payload.notice] : []))).toMatchObject([
      expect.stringContaining('The file has changed.'),
    ]);
  });

  it('is refused to a run that began without it', async () => {
    const hub = await aHub({ turns: { architect: [{ open_questions: ['Which colour?'] }] } });
    await goOn(hub);
    expect(await refused(first(hub))).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('has begun already, and --clarify-first is for a new one'),
    });
  });

  it('is refused where the workflow has such a step of its own', async () => {
    const hub = await aHub({ workflow: steps({ id: 'clarify-first', agent: 'analyst' }) });
    expect(await refused(first(hub))).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('what nobody answers', () => {
  it('falls back, each part to its own, and everything goes on', async () => {
    const clock = fixedClock();
    const hub = await aHub({ clock, store: openInMemoryStore() });
    await first(hub);
    clock.advance(300_000);
    expect(await goOn(hub)).toMatchObject({ status: 'done' });
    expect(hub.briefs[1]?.answers).toMatchObject([
      { answer: 'EU', outcome: 'fallback_applied' },
      { answer: 'USD', outcome: 'fallback_applied' },
    ]);
  });
});
