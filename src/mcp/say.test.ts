import { describe, expect, it } from 'vitest';
import { fixedClock } from '../../test/builders/hub.js';
import { aCall } from '../../test/builders/mcp-call.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from '../app/create-app.js';
import { initFolder } from '../app/init.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { resultOf } from './result.js';
import { askHuman } from './tools/ask-human.js';
import { getQuestion } from './tools/get-question.js';

const MOST = 9_000;
const PARTS = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'];
const answerTo = (part: string) => `${part} ${'a\n"'.repeat(600)} the end of ${part}`;

/** A question of six parts, each answered at length, and what a model is told of it. */
async function longAnswers() {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {}, clock: fixedClock(), store: openInMemoryStore() });
  const call = aCall(app);
  await askHuman.call({ questions: PARTS.map((part) => `${part}? ${'q'.repeat(1_500)}`), blocking: false }, call);
  const [question] = (await app.questions('open')).items;
  const id = String(question?.id);
  const responses = PARTS.map((part) => ({ questionId: part, answer: answerTo(part) }));
  await app.answerQuestion({ id, by: { principal: 'ada', channel: 'web' }, revision: 1, responses });
  return async (part?: string) => {
    const outcome = await getQuestion.call({ id, ...(part !== undefined && { part }) }, call);
    if ('form' in outcome) throw new Error('a form came');
    const { content, structuredContent } = resultOf(outcome);
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', data: JSON.stringify(structuredContent) };
  };
}

describe('the answers to a question of many parts', () => {
  it('are whole or left out in text and data alike, and the next step names those that are left out', async () => {
    const result = await longAnswers();
    const { text, data } = await result();
    const wholeParts = PARTS.filter((part) => text.includes(answerTo(part)));
    expect(wholeParts).toEqual(['q1', 'q2']);
    for (const part of PARTS) {
      expect(text.includes(`the end of ${part}`), part).toBe(wholeParts.includes(part));
      expect(data.includes(JSON.stringify(answerTo(part))), part).toBe(wholeParts.includes(part));
    }
    for (const form of [text, data]) {
      expect(form.length).toBeLessThanOrEqual(MOST);
      expect(form).toContain('The answers to q3, q4, q5, q6 are too long for here: call get_question with');
      expect(form).toContain('A human decided this. Go on with it.');
    }
  });

  it('are not there for a part that the question has not got: its parts are named', async () => {
    const result = await longAnswers();
    await expect(result('q7')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringMatching(/^oq-\S+ has no part 'q7'\. Its parts: q1, q2, q3, q4, q5, q6\.$/),
    });
  });

  it('are each whole when they are asked for by their part', async () => {
    const result = await longAnswers();
    for (const part of PARTS) {
      const { text, data } = await result(part);
      expect(text).toContain(answerTo(part));
      expect(data).toContain(JSON.stringify(answerTo(part)));
      expect(data.length).toBeLessThanOrEqual(MOST);
    }
  });
});
