import { describe, expect, it } from 'vitest';
import { aWorkBrief } from '../../test/builders/brief.js';
import { fixedClock } from '../../test/builders/hub.js';
import type { Runner } from '../ports/runner.js';
import { AgentXError } from '../protocol/errors.js';
import type { Reply } from '../protocol/reply.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { pause, runAgent } from './agent-turn.js';

function turn(run: Runner['run'], signal: AbortSignal): Promise<Reply> {
  const ports = { runnerFor: () => ({ run }), clock: fixedClock(), store: openInMemoryStore(), signal };
  return runAgent(ports, aWorkBrief(), { transcriptId: 'CLR-1-001.1' });
}

describe('a turn that is broken off', () => {
  it('ends with the reason of the signal, whatever the runner says of having been ended', async () => {
    const stop = new AbortController();
    const ended = turn(async () => {
      stop.abort();
      throw new AgentXError('AGENT_ERROR', 'It was ended.');
    }, stop.signal);
    expect(await ended.catch((error: unknown) => error)).toBe(stop.signal.reason);
    expect(stop.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('is over although its runner replied all the same', async () => {
    const stop = new AbortController();
    const late = turn(async () => {
      stop.abort();
      return { text: 'done' };
    }, stop.signal);
    expect(await late.catch((error: unknown) => error)).toBe(stop.signal.reason);
  });

  it('leaves a runner behind that does not listen', async () => {
    const stop = new AbortController();
    let end = (_: Reply) => {};
    const deaf = new Promise<Reply>((resolve) => {
      end = resolve;
    });
    const left = turn(() => deaf, stop.signal);
    stop.abort();
    await expect(left).rejects.toBe(stop.signal.reason);
    end({ text: 'too late' });
  });

  it('starts no runner when it was broken off before', async () => {
    const started: string[] = [];
    const never = turn(async () => ({ text: String(started.push('started')) }), AbortSignal.abort());
    await expect(never).rejects.toMatchObject({ name: 'AbortError' });
    expect(started).toEqual([]);
  });
});

describe('a turn that nobody breaks off', () => {
  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController();
    const listeners: number[] = [];
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.push(1);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.pop();
      remove(...args);
    };
    expect(await turn(async () => ({ text: 'done' }), signal)).toEqual({ text: 'done' });
    await Promise.resolve();
    expect(listeners).toEqual([]);
  });

  it('passes on what went wrong with the agent, an abort of its own included', async () => {
    const own = new DOMException('its fetch took too long', 'AbortError');
    await expect(turn(() => Promise.reject(own), new AbortController().signal)).rejects.toBe(own);
  });
});

it('a pause ends with the reason of the signal', async () => {
  const stop = new AbortController();
  const clock = fixedClock(undefined, () => stop.abort());
  await expect(pause({ clock, signal: stop.signal }, 300)).rejects.toBe(stop.signal.reason);
});
