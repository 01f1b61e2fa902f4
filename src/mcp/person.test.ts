import { describe, expect, it } from 'vitest';
import { aCall } from '../../test/builders/mcp-call.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import type { Person } from './call.js';
import { askHuman } from './tools/ask-human.js';

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
    const started = Date.parse(clock.now());
    let isOver = false;
    const over = reply.finally(() => {
      isOver = true;
    });
    for (await new Promise(setImmediate); !isOver; await new Promise(setImmediate))
      if (known.isAway) clock.advance(1_000);
    return { data: await over, seconds: (Date.parse(clock.now()) - started) / 1000 };
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

describe('a form that a client of 2026-07-28 brings back', () => {
  /** A client that is shown a form, and its person who answers after so many hours. */
  async function answeredAfter(hours: number) {
    const { root } = initFolder({ repository: temporaryFolder() });
    const clock = handClock();
    const app = createApp({ root, env: {}, clock, store: openInMemoryStore() });
    const args = { questions: ['Which region?'] };
    const states: string[] = [];
    const make = (_form: unknown, state: string) => {
      states.push(state);
      return { resultType: 'input_required' as const };
    };
    const callWith = (returned?: NonNullable<Person['form']>['returned']) =>
      aCall(app, {
        client: { canAsk: true },
        person: { args, known: { isAway: false }, form: { make, ...(returned !== undefined && { returned }) } },
      });
    await askHuman.call(args, callWith());
    clock.advance(hours * 60 * 60 * 1000);
    const response = { kind: 'elicit' as const, action: 'accept' as const, content: { answer: 'Europe.' } };
    const again = askHuman.call(args, callWith({ state: states[0] ?? '', response }));
    return { again, status: async () => (await app.questions('all')).items.map(({ status }) => status) };
  }

  it('within a day answers the question', async () => {
    const { again, status } = await answeredAfter(23);
    expect(await again).toMatchObject({ data: { status: 'answered', answers: [{ answer: 'Europe.' }] } });
    expect(await status()).toEqual(['resolved']);
  });

  it('later is refused, and the question stays open [X-6/5]', async () => {
    const { again, status } = await answeredAfter(25);
    await expect(again).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await status()).toEqual(['open']);
  });
});
