import { describe, expect, it } from 'vitest';
import { anInbox, type TestInbox } from '../../test/builders/inbox.js';
import { aQuestion } from '../../test/builders/question.js';
import type { Store } from '../ports/store.js';
import { summaryOf } from '../protocol/question-summary.js';
import { answerQuestion } from './answer-question.js';
import { askHumans } from './ask.js';
import { completeInbox } from './complete-inbox.js';

const MINUTE = 60_000;
const by = { principal: 'ada', channel: 'cli' as const };
const origin = 'run-1-aa/code/1/question/0';
const options = ['PostgreSQL', 'SQLite'];
const fallback = { option: 'b', reasoning: 'smaller' };
const failing = { status: 'failed' as const, open_questions: [{ text: 'Which database?', options, fallback }] };
const planning = {
  needs_clarification: {
    blocker_type: 'security_decision',
    evidence: {
      codebase_search: 'Nothing encrypts anything at present',
      similar_features: 'There is no other feature that stores names',
      attempted_inference: 'The issue does not say which law applies',
    },
    question: 'Which law applies?',
    options,
    fallback,
  },
};

/** A store whose process dies before its n-th write, or in which that one fails and the process goes on. */
function dyingAt(store: Store, n: number, failsOnce = false): Store {
  let writes = 0;
  const dying =
    <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      writes += 1;
      if (failsOnce ? writes === n : writes >= n) throw new Error('killed');
      return write(...args);
    };
  const { questions, assumptions, issues, runs, orchestrator, interactions } = store;
  return {
    ...store,
    questions: {
      ...questions,
      create: dying(questions.create),
      update: (id, update) => dying(() => questions.update(id, update))(),
    },
    assumptions: { ...assumptions, update: (number, update) => dying(() => assumptions.update(number, update))() },
    issues: { ...issues, update: (number, update) => dying(() => issues.update(number, update))() },
    runs: { ...runs, update: (number, update) => dying(() => runs.update(number, update))() },
    orchestrator: { ...orchestrator, update: (update) => dying(() => orchestrator.update(update))() },
    interactions: { ...interactions, append: dying(interactions.append) },
  };
}

async function until<T>(work: () => Promise<T>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Error && error.message === 'killed') return false;
    throw error;
  }
}

const ask = (inbox: TestInbox, reply: object, agent: string) =>
  askHumans(inbox, { origin, issueNumber: 1, agent, reply, runId: 'run-1-aa', phase: 'planning' });

async function everything({ store }: TestInbox) {
  const [questions, assumptions, issue, sessions, interactions] = await Promise.all([
    store.questions.list(),
    store.assumptions.list(),
    store.issues.read(1),
    store.orchestrator.read(),
    store.interactions.list(),
  ]);
  return {
    questions: questions.items,
    assumptions: assumptions.items,
    issue,
    sessions,
    interactions: interactions.items,
  };
}

/** A person answered too late, and the work that rests on the assumption is done: what the inbox asks then. */
async function lateChoice(inbox: TestInbox, id: string): Promise<string> {
  await completeInbox(inbox);
  await answerQuestion(inbox, { id, optionIds: ['a'], by });
  await inbox.store.issues.update(1, (issue) => ({ next: { ...issue, taskStatus: 'done' }, result: undefined }));
  const [choice] = (await inbox.store.questions.list({ status: 'open' })).items;
  return choice?.id ?? '';
}

describe('a process that dies between two writes, or in which one of them fails', () => {
  it.each([
    ['an open question', failing, 'coder'],
    ['a planning request', planning, 'project-manager'],
  ])('leaves nothing undone of %s: it is asked again, or swept', async (_, reply, agent) => {
    const whole = await anInbox();
    await ask(whole, reply, agent);
    const expected = await everything(whole);
    for (let n = 1, survived = false; !survived; n++) {
      const inbox = await anInbox();
      survived = await until(() => ask({ ...inbox, store: dyingAt(inbox.store, n) }, reply, agent));
      const wasAsked = (await inbox.store.questions.list()).items.length > 0;
      if (wasAsked) await completeInbox(inbox);
      else await ask(inbox, reply, agent);
      expect(await everything(inbox)).toEqual(expected);
      expect(n).toBeLessThan(30);
    }
  });

  it.each([
    ['an answer to a coder', failing, 'coder', 'answer'],
    ['an answer to a planning request', planning, 'project-manager', 'answer'],
    ['a fallback of a coder', failing, 'coder', 'expire'],
    ['a fallback of a planning request', planning, 'project-manager', 'expire'],
    ['a late answer', failing, 'coder', 'late'],
    ['a choice to do the work again', failing, 'coder', 'rework'],
  ] as const)('leaves nothing undone of %s', async (_, reply, agent, how) => {
    const openQuestion = async () => {
      const inbox = await anInbox();
      const { question } = await ask(inbox, reply, agent);
      inbox.clock.advance(how === 'answer' ? MINUTE : 5 * MINUTE);
      if (how === 'late') await completeInbox(inbox);
      const id = question?.id ?? '';
      return { inbox, id: how === 'rework' ? await lateChoice(inbox, id) : id };
    };
    const act = (inbox: TestInbox, id: string): Promise<unknown> =>
      how === 'expire'
        ? completeInbox(inbox)
        : answerQuestion(inbox, { id, optionIds: [how === 'rework' ? 'rework' : 'a'], by });
    const { inbox: whole, id } = await openQuestion();
    await act(whole, id);
    await completeInbox(whole);
    const expected = await everything(whole);
    for (const failsOnce of [false, true])
      for (let n = 1, survived = false; !survived && n < 30; n++) {
        const { inbox } = await openQuestion();
        const before = (await inbox.store.questions.read(id))?.revision;
        // What fails after the answer is written is logged, not thrown: only the log shows that it died.
        survived = await until(() => act({ ...inbox, store: dyingAt(inbox.store, n, failsOnce) }, id));
        survived &&= !inbox.log.lines.some(({ fields }) => fields.error === 'killed');
        const isDone = (await inbox.store.questions.read(id))?.revision !== before;
        if (!isDone) await act(inbox, id);
        await completeInbox(inbox);
        expect(await everything(inbox)).toEqual(expected);
      }
  });
});

describe('a sweep', () => {
  it('writes nothing where nothing is undone', async () => {
    const inbox = await anInbox();
    await ask(inbox, failing, 'coder');
    await completeInbox(inbox);
    const before = await everything(inbox);
    await completeInbox({ ...inbox, store: dyingAt(inbox.store, 1) });
    expect(await everything(inbox)).toEqual(before);
    expect(inbox.log.lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });

  it('forgets a question once all that follows from it is done', async () => {
    const inbox = await anInbox();
    const { question } = await ask(inbox, failing, 'coder');
    const act = { id: question?.id ?? '', optionIds: ['a'], by };
    await answerQuestion({ ...inbox, store: dyingAt(inbox.store, 2) }, act);
    expect((await inbox.store.questions.list({ unsettled: true })).items).toHaveLength(1);
    await completeInbox(inbox);
    expect((await inbox.store.questions.list({ unsettled: true })).items).toEqual([]);
    expect((await inbox.store.questions.read(question?.id ?? ''))?.revision).toBe(2);
  });

  it('blocks no task for a question that was answered since it was listed, or that blocks none', async () => {
    const inbox = await anInbox();
    const answered = aQuestion({
      id: 'oq-1',
      issueNumber: 1,
      status: 'resolved',
      outcome: 'answered',
      blocksTask: true,
    });
    const planning = aQuestion({ id: 'oq-2', issueNumber: 2, kind: 'pm_clarification' });
    for (const question of [answered, planning]) await inbox.store.questions.create(question);
    const items = [{ ...answered, status: 'open' as const }, planning].map(summaryOf);
    const questions = { ...inbox.store.questions, summaries: async () => ({ items, damaged: [] }) };
    await completeInbox({ ...inbox, store: { ...inbox.store, questions } });
    for (const number of [1, 2]) expect((await inbox.store.issues.read(number))?.taskStatus).toBe('open');
  });

  it('goes on past what cannot be completed', async () => {
    const inbox = await anInbox();
    const { question } = await ask(inbox, failing, 'coder');
    await inbox.store.issues.update(1, (issue) => ({
      next: { ...issue, taskStatus: 'open', block_reason: null },
      result: undefined,
    }));
    const issues = { ...inbox.store.issues, update: () => Promise.reject(new Error('damaged')) };
    await completeInbox({ ...inbox, store: { ...inbox.store, issues } });
    expect(inbox.log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { questionId: question?.id, error: 'damaged' } }),
    );
  });
});
