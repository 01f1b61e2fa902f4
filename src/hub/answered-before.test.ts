import { describe, expect, it } from 'vitest';
import { aHub, anAsk } from '../../test/builders/hub.js';
import { aQuestion } from '../../test/builders/question.js';
import { answeredBefore } from './answered-before.js';
import { ask, followUp } from './conversation.js';
import { resolve } from './resolve.js';

const ASKED = 'After how long without activity does a session expire?';
const ANSWER = 'Sessions expire after 30 minutes without activity.';
const asking = (text: string, id = 'oq-1a2b3c4d') =>
  aQuestion({ id, issueNumber: 1, questions: [{ id: 'q1', text, createdAt: '2026-02-26T10:00:00.000Z' }] });

async function aHubThatKnows() {
  const hub = await aHub({ remembers: true, turns: { architect: [ANSWER, '45 minutes.'] } });
  await ask(hub, anAsk({ topic: 'Session length', question: 'How long does a session stay valid without activity?' }));
  await resolve(hub, { clarificationId: 'CLR-1-001', body: 'Clear. Proceeding.', by: 'engineer' });
  return hub;
}

describe('what a person is told of earlier answers', () => {
  it('is the answer with its citation, for each part that was asked before [X-9/1]', async () => {
    const hub = await aHubThatKnows();
    expect(await answeredBefore(hub, asking(ASKED))).toMatchObject([
      {
        questionId: 'q1',
        source: 'CLR-1-001',
        issueNumber: 1,
        answer: ANSWER,
        by: 'architect',
        at: expect.any(String),
      },
    ]);
  });

  it('is nothing for another question, for one whose answer was rejected, and with the memory off [X-9/4]', async () => {
    const hub = await aHubThatKnows();
    expect(await answeredBefore(hub, asking('How long is a password reset link valid without activity?'))).toEqual([]);
    expect(await answeredBefore({ ...hub, remembers: false }, asking(ASKED))).toEqual([]);
    const { clarificationId } = await ask(hub, anAsk({ topic: 'Sessions', question: ASKED }));
    await followUp(hub, { clarificationId, question: 'Really? The bank says 10.', by: 'engineer' });
    expect(await answeredBefore(hub, asking(ASKED))).toEqual([]);
  });
});
