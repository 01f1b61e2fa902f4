import { describe, expect, it } from 'vitest';
import { anInbox, type TestInbox } from '../../test/builders/inbox.js';
import { answerQuestion } from './answer-question.js';
import { askHumans } from './ask.js';
import { completeInbox } from './complete-inbox.js';
import { declineQuestion } from './end-question.js';
import { applyDueFallbacks } from './fallback.js';

const by = { principal: 'ada', channel: 'cli' as const };
const part = (text: string, options: readonly string[], option: string, reasoning: string) => ({
  text,
  options,
  fallback: { option, reasoning, risk: 'low' },
});
const REGION = part('Which region?', ['EU', 'US'], 'a', 'the stricter law');
const CURRENCY = part('Which currency?', ['EUR', 'USD'], 'b', 'most customers pay so');
const BATCH = [REGION, CURRENCY];

interface Asked {
  readonly step?: string;
  readonly questions?: readonly (string | object)[];
}

/** Asked in a step of a run; that of the first step is asked before anything is planned. */
async function asked(inbox: TestInbox, { step = 'clarify-first', questions = BATCH }: Asked = {}) {
  const { question } = await askHumans(inbox, {
    origin: `run-1-aa/${step}/1/question/0`,
    issueNumber: 1,
    agent: 'requirements-engineer',
    reply: { open_questions: questions },
    runId: 'run-1-aa',
    phase: 'planning',
  });
  return question?.id ?? '';
}

async function assumptions(inbox: TestInbox) {
  // However often it is completed, nothing is recorded twice.
  await completeInbox(inbox);
  return (await inbox.store.assumptions.read(1)).assumptions_made;
}

describe('what was asked before all steps', () => {
  it('is confirmed by its answers, one assumption for each [PM-5/3] [PM-5/8]', async () => {
    const inbox = await anInbox();
    const id = await asked(inbox);
    const responses = [
      { questionId: 'q1', optionIds: ['b'] },
      { questionId: 'q2', answer: 'Swiss francs' },
    ];
    await answerQuestion(inbox, { id, by, responses });
    expect(await assumptions(inbox)).toMatchObject([
      {
        decision: 'Which region? US',
        user_response: 'User confirmed option (b): US',
        confidence: 'high',
        questionId: id,
        status: 'confirmed',
        decidedBy: 'ada',
      },
      { decision: 'Which currency? Swiss francs', user_response: 'User confirmed option (other): Swiss francs' },
    ]);
  });

  it('is assumed without an answer in time, each part by its own fallback [PM-5/3] [PM-5/9]', async () => {
    const inbox = await anInbox();
    await asked(inbox);
    inbox.clock.advance(300_000);
    await applyDueFallbacks(inbox);
    expect(await assumptions(inbox)).toMatchObject([
      { decision: 'Which region? EU', user_response: 'timeout_assumed', reasoning: 'the stricter law' },
      { decision: 'Which currency? USD', user_response: 'timeout_assumed', reasoning: 'most customers pay so' },
    ]);
  });

  it.each(['a', 'b'])('keeps apart what a human answered (%s) from what timed out [PM-5/3]', async (option) => {
    const inbox = await anInbox();
    const id = await asked(inbox);
    await answerQuestion(inbox, { id, by, responses: [{ questionId: 'q1', optionIds: [option] }] });
    inbox.clock.advance(300_000);
    await applyDueFallbacks(inbox);
    const [region, currency] = await assumptions(inbox);
    expect(region).toMatchObject({ status: 'confirmed', decidedBy: 'ada' });
    expect(region?.user_response).toMatch(new RegExp(`^User confirmed option \\(${option}\\): `));
    expect(region?.reasoning).toContain('answered by ada (cli)');
    expect(currency).toMatchObject({ decision: 'Which currency? USD', user_response: 'timeout_assumed' });
    expect(currency).toMatchObject({ status: 'standing' });
  });

  it('is confirmed by the person who answered each part [PM-5/3] [X-8/1]', async () => {
    const inbox = await anInbox();
    const id = await asked(inbox);
    const bob = { principal: 'bob', channel: 'web' as const };
    await answerQuestion(inbox, { id, by, questionId: 'q1', optionIds: ['b'] });
    await answerQuestion(inbox, { id, by: bob, questionId: 'q2', text: 'Swiss francs' });
    expect(await assumptions(inbox)).toMatchObject([
      { user_response: 'User confirmed option (b): US', decidedBy: 'ada' },
      { user_response: 'User confirmed option (other): Swiss francs', decidedBy: 'bob' },
    ]);
  });

  it('is decided by the agents where a human declines [PM-5/3]', async () => {
    const inbox = await anInbox();
    await declineQuestion(inbox, { id: await asked(inbox), by });
    expect(await assumptions(inbox)).toMatchObject([
      { decision: 'Which region? EU', user_response: 'inferred_from_context', status: 'standing' },
      { decision: 'Which currency? USD', user_response: 'inferred_from_context', confidence: 'low' },
    ]);
  });

  it('is corrected by a late answer, part by part', async () => {
    const inbox = await anInbox();
    const id = await asked(inbox);
    inbox.clock.advance(300_000);
    await applyDueFallbacks(inbox);
    const responses = [
      { questionId: 'q1', optionIds: ['a'] },
      { questionId: 'q2', optionIds: ['a'] },
    ];
    const { choices } = await answerQuestion(inbox, { id, by, responses });
    expect(choices).toMatchObject([{ kind: 'late_answer', rework: { assumptionId: 'ASM-1-002', answer: 'EUR' } }]);
    expect(await assumptions(inbox)).toMatchObject([{ status: 'confirmed' }, { status: 'standing' }]);
  });
});

describe('what any other step asks', () => {
  it('is no assumption where it is answered', async () => {
    const inbox = await anInbox();
    const id = await asked(inbox, { step: 'design', questions: ['Which region?'] });
    await answerQuestion(inbox, { id, by, text: 'EU' });
    expect(await assumptions(inbox)).toEqual([]);
  });
});

describe('the fallbacks of several questions', () => {
  const read = async (inbox: TestInbox, id: string) => inbox.store.questions.read(id);

  it('are each their own, and the question shows them all', async () => {
    const inbox = await anInbox();
    expect(await read(inbox, await asked(inbox))).toMatchObject({
      fallback: { text: 'EU; USD', reasoning: 'the stricter law; most customers pay so', risk: 'low; low' },
      expiresAt: '2026-02-26T10:05:00.000Z',
      questions: [{ fallback: { optionId: 'a' } }, { fallback: { optionId: 'b' } }],
    });
  });

  it('are not those of another part, whose options have the same letters', async () => {
    const inbox = await anInbox();
    const { question } = await askHumans(inbox, {
      origin: 'run-1-aa/plan/1/question/0',
      issueNumber: 1,
      agent: 'planner',
      source: 'plan',
      sourceId: '1',
      questions: [
        { text: 'Which region?', options: ['EU', 'US'] },
        { text: 'Which currency?', options: ['EUR', 'USD'] },
      ],
      fallback: { optionId: 'a', reasoning: 'the stricter law' },
    });
    await declineQuestion(inbox, { id: question.id, by });
    expect((await assumptions(inbox)).map(({ decision }) => decision)).toEqual([
      'Which region? EU',
      'Which currency? planner decides',
    ]);
    // The reason for the region would be taken for the currency.
    expect(question).not.toHaveProperty('expiresAt');
  });

  it('do not decide what declares none: then a person has to', async () => {
    const inbox = await anInbox();
    const question = await read(inbox, await asked(inbox, { questions: [CURRENCY, 'Which colour?'] }));
    expect(question?.questions).toHaveLength(2);
    expect(question).not.toHaveProperty('expiresAt');
    expect(question).not.toHaveProperty('fallback');
  });

  it.each([
    ['an id', 'b', { optionId: 'b' }],
    ['a label', { option: 'US', reasoning: 'why' }, { optionId: 'b', reasoning: 'why' }],
    ['a text of its own', 'Both', { text: 'Both' }],
  ])('may name an option by %s', async (_, fallback, expected) => {
    const inbox = await anInbox();
    const id = await asked(inbox, { questions: [{ text: 'Which region?', options: ['EU', 'US'], fallback }] });
    expect((await read(inbox, id))?.fallback).toEqual(expected);
  });

  it('that name no option of their own question are refused', async () => {
    const inbox = await anInbox();
    const wrong = { text: 'Which colour?', options: ['Red'], fallback: { option: 'b' } };
    expect(await asked(inbox, { questions: [REGION, wrong] })).toBe('');
  });
});
