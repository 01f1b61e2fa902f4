import { describe, expect, it } from 'vitest';
import { aRun } from '../../test/builders/run.js';
import type { Journal } from '../ports/journal.js';
import { type Run, type RunEvent, transition } from '../protocol/run.js';
import { JournalBuffer } from './journal-buffer.js';

const AT = '2026-02-26T10:00:00.000Z';
const started = (step: string): RunEvent => ({
  type: 'record',
  at: AT,
  facts: [{ type: 'step-started', at: AT, step, attempt: 1 }],
});

/** A journal that remembers every write. */
function aJournal(run: Run): Journal & { readonly writes: RunEvent[][] } {
  let stored = run;
  const writes: RunEvent[][] = [];
  return {
    writes,
    read: async () => stored,
    begin: async () => {},
    append: async (events) => {
      writes.push([...events]);
      stored = events.reduce(transition, stored);
      return stored;
    },
  };
}

function aBuffer() {
  const run = aRun({ status: 'running' });
  const journal = aJournal(run);
  return { journal, buffer: new JournalBuffer(run, journal) };
}

function aPromise() {
  let resolve = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** Everything that can happen without input from outside has happened. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('work that is deferred', () => {
  it('keeps the journal from being written until it is done, and nobody else from going on', async () => {
    const { journal, buffer } = aBuffer();
    const work = aPromise();
    buffer.defer(work.promise);
    buffer.append([started('code')]);
    const flushed = buffer.flush();
    await quiet();
    expect(journal.writes).toEqual([]);
    expect(buffer.run.journal.at(-1)).toMatchObject({ type: 'step-started', step: 'code' });
    work.resolve();
    await flushed;
    expect(journal.writes).toEqual([[started('code')]]);
  });

  it('holds up what was to be written before it began as little as it lets later events overtake it', async () => {
    const { journal, buffer } = aBuffer();
    buffer.append([started('ux')]);
    const first = buffer.flush();
    await first;
    const work = aPromise();
    buffer.defer(work.promise);
    buffer.append([started('code')]);
    const second = buffer.flush();
    buffer.append([started('review')]);
    const third = buffer.flush();
    await quiet();
    expect(journal.writes).toEqual([[started('ux')]]);
    work.resolve();
    await Promise.all([second, third]);
    expect(journal.writes.flat()).toEqual([started('ux'), started('code'), started('review')]);
  });

  it('that fails leaves the journal as it was, for good, and is told to whoever writes next', async () => {
    const { journal, buffer } = aBuffer();
    const work = aPromise();
    buffer.defer(work.promise);
    buffer.append([started('code')]);
    work.reject(new Error('The disk is full.'));
    await expect(buffer.flush()).rejects.toThrow('The disk is full.');
    buffer.append([started('review')]);
    await expect(buffer.flush()).rejects.toThrow('The disk is full.');
    expect(journal.writes).toEqual([]);
  });

  it('is waited for even where there is nothing to write', async () => {
    const { journal, buffer } = aBuffer();
    const work = aPromise();
    buffer.defer(work.promise);
    let isFlushed = false;
    const flushed = buffer.flush().then(() => {
      isFlushed = true;
    });
    await quiet();
    expect(isFlushed).toBe(false);
    work.resolve();
    await flushed;
    expect(journal.writes).toEqual([]);
  });
});
