import { describe, expect, it } from 'vitest';
import { aHub, anAsk, type TestHub } from '../../test/builders/hub.js';
import { aMemory } from '../../test/builders/memory.js';
import { MemoryPipeline } from '../memory/memory-pipeline.js';
import type { Recall } from '../ports/recall.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { ask, followUp } from './conversation.js';
import { resolve } from './resolve.js';

const ANSWER = 'Through the outbox table; a worker publishes every 2 seconds.';
const FIRST = anAsk({
  topic: 'Event publishing',
  question: 'Are events published after the commit, or through an outbox?',
});
/** The same in so different words that memory does not answer it by itself. */
const OTHERWISE = anAsk({
  issueNumber: 2,
  topic: 'Receipts',
  question: 'How do receipt events get out once the order is saved: straight away, or does the outbox worker do it?',
});

async function aHubThatDecided(change: (recall: Recall) => Recall = (recall) => recall): Promise<TestHub> {
  const store = openInMemoryStore();
  const pipeline = new MemoryPipeline(aMemory({}, store));
  const recall = change({ recall: async (request) => (await pipeline.recall(request)).section });
  const hub = await aHub({ store, recall, remembers: true, turns: { architect: [ANSWER, 'By the worker.', 'Yes.'] } });
  await ask(hub, FIRST);
  await resolve(hub, { clarificationId: 'CLR-1-001', body: 'Clear. Proceeding.', by: 'engineer' });
  return hub;
}

describe('the brief of a target whose question memory cannot answer for certain', () => {
  it('holds the nearest decisions with their citation, and says that they may be about something else [X-9/1]', async () => {
    const hub = await aHubThatDecided();
    await ask(hub, OTHERWISE);
    const brief = hub.briefs.at(-1);
    expect(brief).toMatchObject({ kind: 'answer', issue: { number: 2 } });
    expect(brief?.memory).toContain(ANSWER);
    expect(brief?.memory).toContain('CLR-1-001');
    expect(brief?.prompt).toContain(ANSWER);
    expect(brief?.prompt).toMatch(/decides the question, give that answer and name its id/);
  });

  it('has no such section if nothing like it was decided', async () => {
    const hub = await aHubThatDecided();
    await ask(hub, anAsk({ issueNumber: 2, topic: 'Colours', question: 'Is the button green?' }));
    expect(hub.briefs.at(-1)).not.toHaveProperty('memory');
    expect(hub.briefs.at(-1)?.prompt).not.toContain('decides the question');
  });

  it('tells a decision of the same issue once, among the clarifications of the target', async () => {
    const hub = await aHubThatDecided();
    await ask(hub, { ...OTHERWISE, issueNumber: 1 });
    const brief = hub.briefs.at(-1);
    expect(brief?.clarifications).toMatchObject([{ id: 'CLR-1-001' }]);
    expect(brief).not.toHaveProperty('memory');
  });

  it('does not tell it what the requester has rejected [X-9/2]', async () => {
    const hub = await aHubThatDecided();
    const again = await ask(hub, { ...FIRST, issueNumber: 2 });
    expect(again.record.thread.at(-1)).toMatchObject({ from: 'memory' });
    await followUp(hub, {
      clarificationId: again.clarificationId,
      question: 'Is the outbox right for receipts?',
      by: 'engineer',
    });
    const brief = hub.briefs.at(-1);
    expect(brief).toMatchObject({ kind: 'answer', clarification: { round: 2 } });
    expect(brief).not.toHaveProperty('memory');
  });

  it('goes without it, and the question to its target, if memory fails', async () => {
    const hub = await aHubThatDecided(() => ({ recall: async () => Promise.reject(new Error('The disk is gone.')) }));
    await expect(ask(hub, OTHERWISE)).resolves.toMatchObject({ status: 'answered', answer: 'By the worker.' });
    expect(hub.log.lines).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('The disk is gone.') }),
    );
  });
});
