import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Issue } from '../../src/protocol/issue.js';
import type { Question } from '../../src/protocol/question.js';
import { aQuestion } from '../builders/question.js';
import { repetitions } from '../support/mode.js';
import { agentx, aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const KILLS = repetitions({ short: 10, long: 30 });
/** Longer than an answer takes, so that some come before it, some in the middle and some after it. */
const LONGEST_MS = 30;

it(`loses no acknowledged answer and keeps no half of one, killed between answer and acknowledgement (${KILLS} times) [X-5/1] [OQ-4/1]`, async () => {
  const numbers = Array.from({ length: KILLS }, (_, index) => index + 1);
  const cwd = await aRepository({ issues: numbers.map((number) => ({ title: `Issue ${number}` })) });
  const store = storeOf(cwd);
  for (const number of numbers) {
    const id = `oq-${number}`;
    await store.questions.create(aQuestion({ id, issueNumber: number, sourceId: String(number), blocksTask: true }));
    await store.issues.update(number, (issue) => ({
      next: { ...issue, taskStatus: 'blocked', block_reason: 'Open Question', assignee: null },
      result: undefined,
    }));
  }
  const ends = { acknowledged: 0, kept: 0, absent: 0 };
  let server = await startServer(cwd);
  for (const number of numbers) {
    const path = `/notifications/oq-${number}`;
    const body = { revision: 1, responses: [{ questionId: 'q1', optionIds: ['a'] }] };
    const answer = server.call<{ notification: Question }>('PATCH', path, body).catch(() => undefined);
    await sleep((LONGEST_MS * number) / KILLS);
    server.kill();
    const acknowledged = await answer;
    await server.ended;

    server = await startServer(cwd);
    const { body: shown } = await server.call<{ notification: Question }>('GET', path);
    const isThere = shown.notification.status === 'resolved';
    if (acknowledged !== undefined) expect([acknowledged.status, isThere]).toEqual([200, true]);
    ends[acknowledged !== undefined ? 'acknowledged' : isThere ? 'kept' : 'absent'] += 1;

    const again = await server.call<{ error?: { code: string; details: unknown } }>('PATCH', path, body);
    expect(again.status).toBe(isThere ? 409 : 200);
    if (isThere) {
      expect(again.body.error).toMatchObject({
        code: 'CONFLICT',
        details: { question: { responses: [{ questionId: 'q1', optionIds: ['a'] }] } },
      });
    }
  }
  // Whatever a kill left undone, the next command completes.
  expect(agentx(cwd, ['ready']).status).toBe(0);
  for (const number of numbers) {
    expect(await store.questions.read(`oq-${number}`)).toMatchObject({ outcome: 'answered', revision: 2 });
    const issue: Issue | undefined = await store.issues.read(number);
    expect(issue).toMatchObject({ taskStatus: 'open', block_reason: null });
    expect(issue?.comments.map(({ author, body }) => [author, body.includes('PostgreSQL')])).toEqual([['ada', true]]);
  }
  expect(ends.acknowledged + ends.kept + ends.absent).toBe(KILLS);
  expect(await server.stop()).toBe(0);
});
