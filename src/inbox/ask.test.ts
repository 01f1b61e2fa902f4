import { describe, expect, it } from 'vitest';
import { refused } from '../../test/builders/hub.js';
import { anInbox } from '../../test/builders/inbox.js';
import { questionIdFor } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import { transition } from '../protocol/question-transition.js';
import { answerQuestion } from './answer-question.js';
import { askHumans, type ReadyAsking } from './ask.js';
import { applyDueFallbacks } from './fallback.js';
import type { InboxPorts } from './ports.js';

const by = { principal: 'ada', channel: 'cli' as const };
const options = [
  { id: 'a', label: 'PostgreSQL' },
  { id: 'b', label: 'SQLite' },
];

const ask = async (inbox: InboxPorts, asking: ReadyAsking) => (await askHumans(inbox, asking)).question;

function request(fields: Partial<ReadyAsking> = {}): ReadyAsking {
  return {
    origin: 'run-1-aa/plan/1/question/0',
    issueNumber: 1,
    agent: 'planner',
    source: 'plan',
    sourceId: 'plan-7',
    parts: [{ id: 'q1', text: 'Which database should we use for the orders?', options }],
    attach: true,
    ...fields,
  };
}

describe('a question for a human', () => {
  it('is asked once for each origin and told once to the bus', async () => {
    const inbox = await anInbox();
    const first = await ask(inbox, request());
    const again = await ask(inbox, request());
    expect(again).toEqual(first);
    expect(first).toMatchObject({
      id: questionIdFor(request().origin),
      projectId: 'shop',
      kind: 'open_question',
      source: 'plan',
      sourceId: 'plan-7',
      askedBy: { agent: 'planner', chain: ['planner'] },
      blocking: true,
      status: 'open',
    });
    expect(inbox.bus.names()).toEqual(['notification-added']);
  });

  it('names every agent through which it was asked', async () => {
    const inbox = await anInbox();
    const { askedBy } = await ask(inbox, request({ chain: ['planner', 'researcher'] }));
    expect(askedBy).toEqual({ agent: 'planner', chain: ['planner', 'researcher'] });
  });

  it('expires where it declares a fallback, after the minutes that are configured [PM-4/10]', async () => {
    const inbox = await anInbox({ settings: { fallbackMs: 90_000 } });
    const { expiresAt } = await ask(inbox, request({ fallback: { optionId: 'b', reasoning: 'smaller' } }));
    expect(expiresAt).toBe('2026-02-26T10:01:30.000Z');
  });

  it('waits for ever where it declares none, and is reversible unless it says otherwise [X-1/4]', async () => {
    const inbox = await anInbox();
    const question = await ask(inbox, request());
    expect(question).not.toHaveProperty('expiresAt');
    expect(question.consequence).toBe('reversible');
  });

  it('that is irreversible may not declare a fallback [X-1/3]', async () => {
    const inbox = await anInbox();
    const irreversible = request({ consequence: 'irreversible', fallback: { optionId: 'b' } });
    expect((await refused(ask(inbox, irreversible))).code).toBe('INVALID_INPUT');
    expect((await inbox.store.questions.list()).items).toEqual([]);
  });
});

describe('a question that was asked before', () => {
  const other = 'run-1-aa/implement/1/question/0';
  const parts = [{ id: 'x', text: 'Which database should we use for the orders', options: [...options].reverse() }];

  it('waits for the answer to the open one [OQ-8/2]', async () => {
    const inbox = await anInbox();
    const first = await ask(inbox, request());
    const second = await ask(inbox, request({ origin: other, agent: 'coder', parts }));
    expect(second).toMatchObject({ id: first.id, revision: 1, attached: [{ origin: other, agent: 'coder' }] });
    expect(inbox.bus.names()).toEqual(['notification-added']);
    expect((await ask(inbox, request({ origin: other, agent: 'coder', parts }))).attached).toHaveLength(1);
  });

  it('blocks from the moment an agent asks it that waits for the answer', async () => {
    const inbox = await anInbox();
    const first = await ask(inbox, request({ blocking: false }));
    expect(await ask(inbox, request({ origin: other, blocking: false }))).toMatchObject({ blocking: false });
    const second = await ask(inbox, request({ origin: 'run-1-aa/review/1/question/0' }));
    expect(second).toMatchObject({ id: first.id, blocking: true });
  });

  it('is another one if only the new one is irreversible: a fallback must not decide it [X-1/2]', async () => {
    const inbox = await anInbox();
    const first = await ask(inbox, request({ fallback: { optionId: 'b' } }));
    const grave = await ask(inbox, request({ origin: other, consequence: 'irreversible' }));
    inbox.clock.advance(300_000);
    expect((await applyDueFallbacks(inbox)).map(({ id }) => id)).toEqual([first.id]);
    expect(await inbox.store.questions.read(grave.id)).toMatchObject({ status: 'open', consequence: 'irreversible' });
    const again = await ask(inbox, request({ origin: 'run-1-aa/review/1/question/0', consequence: 'irreversible' }));
    expect(again.id).toBe(grave.id);
  });

  it('is asked anew if the open one is superseded in the same moment', async () => {
    const inbox = await anInbox();
    const first = await ask(inbox, request());
    const { questions } = inbox.store;
    const list: typeof questions.list = async (filter) => {
      const listed = await questions.list(filter);
      const supersede = (question: Question) => ({
        next: transition(question, { type: 'supersede', at: inbox.clock.now(), reason: 'step plan was given up' })
          .question,
        result: undefined,
      });
      await questions.update(first.id, supersede);
      return listed;
    };
    const racing = { ...inbox, store: { ...inbox.store, questions: { ...questions, list } } };
    const second = await ask(racing, request({ origin: other, agent: 'coder', parts }));
    expect(second).toMatchObject({ status: 'open', askedBy: { agent: 'coder' } });
    expect(second.id).not.toBe(first.id);
    expect(await questions.read(first.id)).not.toHaveProperty('attached');
  });

  it('has its answer already where the same run has it [OQ-8/2]', async () => {
    const inbox = await anInbox();
    const { id } = await ask(inbox, request());
    await answerQuestion(inbox, { id, optionIds: ['a'], by });
    expect(await ask(inbox, request({ origin: other }))).toMatchObject({ id, outcome: 'answered' });
    const later = await ask(inbox, request({ origin: 'run-1-bb/plan/1/question/0' }));
    expect(later).toMatchObject({ status: 'open' });
    expect(later.id).not.toBe(id);
  });

  it.each([
    ['another issue', { issueNumber: 2 }],
    [
      'other options',
      { parts: [{ ...parts[0], id: 'x', text: 'Which database should we use for the orders', options: [] }] },
    ],
    ['other words', { parts: [{ id: 'x', text: 'Should the API support pagination?', options }] }],
    ["no agent's own question", { attach: false }],
  ])('is another one with %s', async (_, fields) => {
    const inbox = await anInbox();
    await ask(inbox, request());
    await ask(inbox, request({ origin: other, ...fields }));
    expect((await inbox.store.questions.list({ status: 'open' })).items).toHaveLength(2);
  });
});
