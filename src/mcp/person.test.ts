import { describe, expect, it } from 'vitest';
import { aCall } from '../../test/builders/mcp-call.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import type { App } from '../app/app.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { AgentXError } from '../protocol/errors.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import type { Person } from './call.js';
import type { Tool } from './tool.js';
import { askHuman } from './tools/ask-human.js';
import { getQuestion } from './tools/get-question.js';
import { requestClarification } from './tools/request-clarification.js';

/** A clock that a test moves by hand: who sleeps, sleeps until then. */
function handClock() {
  let now = Date.parse('2026-02-26T10:00:00.000Z');
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => new Date(now).toISOString(),
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { until: now + milliseconds, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(new Error('broken off'));
        });
      }),
    sleeping: () => sleepers.size,
    advance: (milliseconds: number) => {
      now += milliseconds;
      for (const sleeper of sleepers) if (sleeper.until <= now && sleepers.delete(sleeper)) sleeper.wake();
    },
  };
}

/** A client whose form comes back declined after so long. */
function aClient(afterMs: number) {
  const { root } = initFolder({ repository: temporaryFolder() });
  const clock = handClock();
  const app = createApp({ root, env: {}, clock, store: openInMemoryStore() });
  const known = { isAway: false };
  let forms = 0;
  const request = async () => {
    forms += 1;
    clock.advance(afterMs);
    return { action: 'decline' as const };
  };
  let reports = 0;
  const call = {
    ...aCall(app, { client: { canAsk: true }, person: { known, request } }),
    report: () => {
      reports += 1;
    },
  };
  const ask = async (question: string) => {
    const outcome = await askHuman.call({ questions: [question] }, call);
    if ('form' in outcome) throw new Error('a form came');
    return outcome.data;
  };
  /** Lets time pass until the call has its result; says how much. */
  const passing = async <T>(reply: Promise<T>) => {
    const startedAt = Date.parse(clock.now());
    let isOver = false;
    const over = reply.finally(() => {
      isOver = true;
    });
    for (await new Promise(setImmediate); !isOver; await new Promise(setImmediate))
      if (known.isAway) clock.advance(1_000);
    return { data: await over, seconds: (Date.parse(clock.now()) - startedAt) / 1000 };
  };
  return { app, ask, passing, known, forms: () => forms, reports: () => reports, advance: clock.advance };
}

describe('a form that comes back declined', () => {
  it('at once was seen by no person: the call waits for others, and the client is not asked again [X-6/3]', async () => {
    const { ask, passing, forms } = aClient(999);
    const { data, seconds } = await passing(ask('Which region?'));
    expect(data).toMatchObject({ status: 'pending', next: expect.stringContaining('No person is at this client.') });
    expect(seconds).toBeGreaterThanOrEqual(45);
    await passing(ask('Which colour?'));
    expect(forms()).toBe(1);
  });

  it('after a while is a person, who may be asked again', async () => {
    const { ask, passing, forms } = aClient(1_000);
    const { data, seconds } = await passing(ask('Which region?'));
    expect(data).toMatchObject({ status: 'pending', next: expect.stringContaining('did not answer here') });
    expect(seconds).toBe(1);
    await ask('Which colour?');
    expect(forms()).toBe(2);
  });

  it('leaves nothing behind that reports on after the result', async () => {
    const { app, ask, passing, reports, advance } = aClient(1_000);
    await passing(ask('Which region?'));
    const before = reports();
    for (let count = 0; count < 30; count++) {
      advance(1_000);
      await new Promise(setImmediate);
    }
    expect(reports()).toBe(before);
    await app.close();
  });

  it('is forgotten as soon as a human answers elsewhere [X-7/1]', async () => {
    const { app, ask, passing, known } = aClient(10);
    const reply = ask('Which region?');
    await until(() => known.isAway);
    const [question] = (await app.questions('open')).items;
    const responses = [{ questionId: 'q1', answer: 'Europe.' }];
    await app.answerQuestion({
      id: String(question?.id),
      by: { principal: 'ada', channel: 'web' },
      revision: 1,
      responses,
    });
    expect((await passing(reply)).data).toMatchObject({
      status: 'answered',
      answers: [{ answer: 'Europe.' }],
      next: 'A human decided this. Go on with it.',
    });
  });
});

describe('a form for several parts', () => {
  const questions = ['Which region?', 'Which colour?', 'How many users?'];
  const content = { answer_1: 'Europe.', answer_2: 'Blue.', answer_3: 'Nine.' };

  /** A project in which somebody answers the first part on the page. */
  function aProject() {
    const { root } = initFolder({ repository: temporaryFolder() });
    const app = createApp({ root, env: {}, store: openInMemoryStore() });
    const answerFirst = async () => {
      const [question] = (await app.questions('open')).items;
      const by = { principal: 'bob', channel: 'web' } as const;
      await app.answerQuestion({ id: String(question?.id), by, responses: [{ questionId: 'q1', answer: 'America.' }] });
    };
    return { app, answerFirst };
  }
  const answered = {
    data: { status: 'answered', answers: [{ answer: 'America.' }, { answer: 'Blue.' }, { answer: 'Nine.' }] },
  };

  it('that comes back when somebody has answered one of them elsewhere answers the others, each its own', async () => {
    const { app, answerFirst } = aProject();
    const args = { questions };
    const states: string[] = [];
    const make = (_form: unknown, state: string) => {
      states.push(state);
      return { resultType: 'input_required' as const };
    };
    const person = (more: Partial<NonNullable<Person['form']>> = {}) => ({ args, form: { make, ...more } });
    await askHuman.call(args, aCall(app, { client: { canAsk: true }, person: person() }));
    await answerFirst();
    const returned = { state: states[0] ?? '', response: { kind: 'elicit', action: 'accept', content } } as const;
    const again = askHuman.call(args, aCall(app, { client: { canAsk: true }, person: person({ returned }) }));
    expect(await again).toMatchObject(answered);
  });

  it('does so for an older client, too', async () => {
    const { app, answerFirst } = aProject();
    const request = async () => {
      await answerFirst();
      return { action: 'accept' as const, content };
    };
    const call = aCall(app, { client: { canAsk: true }, person: { request } });
    expect(await askHuman.call({ questions }, call)).toMatchObject(answered);
  });

  it('tells apart two options that would look the same', async () => {
    const { app } = aProject();
    const shown: unknown[] = [];
    const request = async ({ requestedSchema }: { readonly requestedSchema: { readonly properties: object } }) => {
      const { answer } = Object(requestedSchema.properties);
      shown.push(...answer.enum);
      return { action: 'accept' as const, content: { answer: answer.enum[1] } };
    };
    const options = [{ label: 'EU (recommended)' }, { label: 'EU', recommended: true }];
    const call = aCall(app, { client: { canAsk: true }, person: { request } });
    const outcome = await askHuman.call({ questions: [{ text: 'Which region?', options }] }, call);
    expect(shown).toEqual(['b) EU (recommended)', 'a) EU (recommended)']);
    expect(outcome).toMatchObject({ data: { answers: [{ optionIds: ['a'] }] } });
  });
});

describe('a form', () => {
  it('is taken back when the question cannot be read any more', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const store = openInMemoryStore();
    let isBroken = false;
    const read = async (id: string) => {
      if (isBroken) throw new AgentXError('CORRUPT_FILE', 'It does not parse.');
      return store.questions.read(id);
    };
    const app = createApp({ root, env: {}, store: { ...store, questions: { ...store.questions, read } } });
    const signals: AbortSignal[] = [];
    const request = async (_form: unknown, signal: AbortSignal) => {
      isBroken = true;
      signals.push(signal);
      return new Promise<never>(() => {});
    };
    const call = aCall(app, { client: { canAsk: true }, person: { request } });
    await expect(askHuman.call({ questions: ['Which region?'] }, call)).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

/** Calls of a client that shows forms between two calls, and the state that came with each form. */
function formCalls(app: App, { call }: Tool, args: Readonly<Record<string, unknown>>) {
  const states: string[] = [];
  const make = (_form: unknown, state: string) => {
    states.push(state);
    return { resultType: 'input_required' as const };
  };
  const callWith = (returned?: NonNullable<Person['form']>['returned']) =>
    call(
      args,
      aCall(app, {
        client: { canAsk: true },
        person: { args, known: { isAway: false }, form: { make, ...(returned && { returned }) } },
      }),
    );
  return { states, callWith };
}

describe('a form that a client of 2026-07-28 brings back', () => {
  /** A client that is shown a form, and its person who answers after so many hours. */
  async function answeredAfter(hours: number) {
    const { root } = initFolder({ repository: temporaryFolder() });
    const clock = handClock();
    const app = createApp({ root, env: {}, clock, store: openInMemoryStore() });
    const { states, callWith } = formCalls(app, askHuman, { questions: ['Which region?'] });
    await callWith();
    clock.advance(hours * 60 * 60 * 1000);
    const response = { kind: 'elicit' as const, action: 'accept' as const, content: { answer: 'Europe.' } };
    const again = callWith({ state: states[0] ?? '', response });
    return { again, status: async () => (await app.questions('all')).items.map(({ status }) => status) };
  }

  it('within a day answers the question', async () => {
    const { again, status } = await answeredAfter(23);
    expect(await again).toMatchObject({ data: { status: 'answered', answers: [{ answer: 'Europe.' }] } });
    expect(await status()).toEqual(['resolved']);
  });

  it('after the fallback is a late answer, once', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const clock = handClock();
    const app = createApp({ root, env: {}, clock, store: openInMemoryStore() });
    const fallback = { text: 'America.', reasoning: 'Most users are there.', risk: 'low' };
    const args = { questions: ['Which region?'], consequence: 'reversible', fallback };
    const { states, callWith } = formCalls(app, askHuman, args);
    await callWith();
    clock.advance(60 * 60 * 1000);
    await app.completeInbox();
    const response = { kind: 'elicit' as const, action: 'accept' as const, content: { answer: 'Europe.' } };
    const outcome = await callWith({ state: states[0] ?? '', response });
    expect(outcome).toMatchObject({ data: { status: 'fallback_applied', answers: [{ answer: 'Europe.' }] } });
    expect(await callWith({ state: states[0] ?? '', response })).toEqual(outcome);
    const asked = (await app.questions('all')).items.find(({ kind }) => kind === 'open_question');
    expect(asked?.lateResponses).toMatchObject([
      { responses: [{ answer: 'Europe.' }], answeredBy: { channel: 'mcp' } },
    ]);
  });

  it('after the fallback is a late answer, also where the call went on without it', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const clock = handClock();
    const fallback = { text: 'America.', reasoning: 'Most users are there.', risk: 'low' };
    const architect = ({ answers = [] }: { readonly answers?: readonly unknown[] }) =>
      answers.length > 0
        ? { answer: 'SQLite.' }
        : { text: 'I cannot say.', open_questions: [{ text: 'Which region?', fallback }] };
    const app = createApp({ root, env: {}, clock, store: openInMemoryStore(), runners: { architect } });
    const { number } = await app.createIssue({ title: 'Health endpoint' });
    const args = { from: 'engineer', issue: number, to: 'architect', topic: 'Database', question: 'Which one?' };
    const { states, callWith } = formCalls(app, requestClarification, args);
    await callWith();
    clock.advance(60 * 60 * 1000);
    await app.completeInbox();
    const response = { kind: 'elicit' as const, action: 'accept' as const, content: { answer: 'Europe.' } };
    expect(await callWith({ state: states[0] ?? '', response })).toMatchObject({
      data: { status: 'answered', answer: 'SQLite.' },
    });
    const asked = (await app.questions('all')).items.find(({ kind }) => kind === 'open_question');
    expect(asked?.lateResponses).toMatchObject([{ responses: [{ answer: 'Europe.' }] }]);
  });

  it('later is refused, and the question stays open [X-6/5]', async () => {
    const { again, status } = await answeredAfter(25);
    await expect(again).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await status()).toEqual(['open']);
  });

  it('answers one question after the other, where an agent asks a human twice before it answers', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const architect = ({ answers = [] }: { readonly answers?: readonly unknown[] }) => {
      const next = ['Which region?', 'How many users?'][answers.length];
      return next === undefined ? { answer: 'SQLite.' } : { text: 'I cannot say.', open_questions: [next] };
    };
    const app = createApp({ root, env: {}, store: openInMemoryStore(), runners: { architect } });
    const { number } = await app.createIssue({ title: 'Health endpoint' });
    const args = { from: 'engineer', issue: number, to: 'architect', topic: 'Database', question: 'Which one?' };
    const forms: { readonly message: string; readonly state: string }[] = [];
    const make = ({ message }: { readonly message: string }, state: string) => {
      forms.push({ message, state });
      return { resultType: 'input_required' as const };
    };
    const callWith = (returnedForm?: NonNullable<Person['form']>['returned']) =>
      requestClarification.call(
        args,
        aCall(app, {
          client: { canAsk: true },
          person: { args, form: { make, ...(returnedForm !== undefined && { returned: returnedForm }) } },
        }),
      );
    const response = { kind: 'elicit' as const, action: 'accept' as const, content: { answer: 'Europe.' } };
    await callWith();
    await callWith({ state: forms[0]?.state ?? '', response });
    expect(forms.map(({ message }) => message.split('\n').at(-1))).toEqual(['Which region?', 'How many users?']);
    expect(await callWith({ state: forms[1]?.state ?? '', response })).toMatchObject({
      data: { status: 'answered', answer: 'SQLite.' },
    });
  });
});

describe('looking for an answer', () => {
  it('takes the fallback as soon as its time has come, though no other process is there', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const clock = handClock();
    const app = createApp({ root, env: {}, clock, store: openInMemoryStore() });
    const fallback = { text: 'Europe.', reasoning: 'Most users are there.', risk: 'low' };
    const request = { questions: ['Which region?'], consequence: 'reversible', fallback, blocking: false };
    await askHuman.call(request, aCall(app));
    const [question] = (await app.questions('open')).items;
    const dueInMs = Date.parse(question?.expiresAt ?? '') - Date.parse(clock.now());
    clock.advance(dueInMs - 5_000);
    let isOver = false;
    const outcome = getQuestion.call({ id: String(question?.id), wait_seconds: 30 }, aCall(app)).finally(() => {
      isOver = true;
    });
    // Time passes only while it waits: for the next look, and for its end.
    for (; !isOver; await new Promise(setImmediate)) if (clock.sleeping() >= 2) clock.advance(1_000);
    expect(await outcome).toMatchObject({ data: { status: 'fallback_applied' } });
  });

  it('names the question that a human must answer first, without waiting for it', async () => {
    const { root } = initFolder({ repository: temporaryFolder() });
    const architect = () => ({ text: 'I cannot say.', open_questions: ['Which region?'] });
    const app = createApp({ root, env: {}, store: openInMemoryStore(), runners: { architect } });
    const { number } = await app.createIssue({ title: 'Health endpoint' });
    const request = {
      from: 'engineer',
      issueNumber: number,
      to: 'architect',
      topic: 'Database',
      question: 'Which one?',
    };
    const { clarificationId: id, waitingOn: [questionId] = [] } = await app.ask(request);
    expect(await getQuestion.call({ id }, aCall(app))).toMatchObject({
      data: { status: 'pending', questionId, next: expect.stringContaining('architect asked a human first') },
    });
    expect(questionId).toMatch(/^oq-/);
  });
});
