import { describe, expect, it } from 'vitest';
import { aQuestion } from '../../test/builders/question.js';
import { aTeller } from '../../test/builders/teller.js';
import type { Store } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { keepTelling } from './keep-telling.js';

const untilIdle = () => ({ signal: new AbortController().signal, untilIdleForMs: 1_000 });

describe('a process that came to tell the news', () => {
  it('tells what was left to it while it let its claim go', async () => {
    const memory = openInMemoryStore();
    await memory.questions.create(aQuestion({ id: 'oq-first' }));
    const lateQuestion = aQuestion({ id: 'oq-late' });
    let isLate = false;
    const store: Store = {
      ...memory,
      claim: async (...args) => {
        const claim = await memory.claim(...args);
        return {
          ...claim,
          // Another command asks, sees that a process tells the news, and ends.
          release: async () => {
            if (!isLate) await memory.questions.create(lateQuestion);
            isLate = true;
            await claim.release();
          },
        };
      },
    };
    const { ports, told } = aTeller(store);
    await keepTelling(async () => ports, untilIdle());
    expect(told).toEqual(['oq-first.opened', 'oq-late.opened']);
  });

  it('leaves it to the process that has the claim', async () => {
    const store = openInMemoryStore();
    await store.questions.create(aQuestion({ id: 'oq-first' }));
    await store.claim({ notify: 'people' });
    const { ports, told } = aTeller(store);
    await keepTelling(async () => ports, untilIdle());
    expect(told).toEqual([]);
  });
});

it('a process that stays goes on when its disk does', async () => {
  const memory = openInMemoryStore();
  await memory.questions.create(aQuestion({ id: 'oq-first' }));
  let isFull = true;
  const claim: Store['claim'] = async (...args) => {
    const wasFull = isFull;
    isFull = false;
    if (wasFull) throw new AgentXError('STORE_ERROR', 'Cannot write: the disk is full.');
    return memory.claim(...args);
  };
  const { ports, told } = aTeller({ ...memory, claim });
  const stop = new AbortController();
  const telling = keepTelling(async () => ports, { signal: stop.signal, claimLookMs: 1 });
  await expect.poll(() => told).toEqual(['oq-first.opened']);
  stop.abort();
  await telling;
});
