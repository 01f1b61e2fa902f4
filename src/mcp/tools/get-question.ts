import * as z from 'zod/mini';
import { AgentXError } from '../../protocol/errors.js';
import type { Question } from '../../protocol/question.js';
import { follow, noteHearing, present } from '../follow.js';
import { lookEnded } from '../person.js';
import { sayClarification, sayQuestion } from '../say.js';
import { READS, tool } from '../tool.js';
import { deadlineIn, lookUntil } from '../wait.js';

export const getQuestion = tool({
  name: 'get_question',
  title: 'Look for an answer',
  description: `Look whether a question (oq-...) or a clarification (CLR-...) that you asked has its answer, and wait for it up to wait_seconds.
Call it when a result said "pending", after you have done what does not depend on the answer, and again as long as it says pending. It asks nothing new.`,
  annotations: READS,
  input: z.strictObject({
    id: z.string().check(z.describe('The id that asking returned: oq-... or CLR-...')),
    wait_seconds: z.exactOptional(
      z
        .number()
        .check(
          z.gte(0),
          z.describe('How long to wait for the answer; 0, the default, looks once. At most what this client bears.'),
        ),
    ),
    part: z.exactOptional(z.string().check(z.describe('Only this part of a question with several, such as q2.'))),
  }),
  async call({ id: typedId, wait_seconds: seconds = 0, part }, call) {
    const { app } = call;
    if (/^clr-/i.test(typedId)) {
      const state = await present(app, await app.findId('clarification', typedId));
      if (seconds > 0) return follow(call, state, seconds);
      await noteHearing(call, state);
      return sayClarification(call, state);
    }
    const id = await app.findId('question', typedId);
    await app.completeInbox();
    if (part !== undefined) requirePart(await app.showQuestion(id), part);
    const endedQuestion = await lookUntil(call, deadlineIn(call, seconds), () => lookEnded(call, id));
    return sayQuestion(call, endedQuestion ?? (await app.showQuestion(id)), part === undefined ? {} : { part });
  },
});

function requirePart({ id, questions }: Question, part: string): void {
  const parts = questions.map((one) => one.id);
  if (parts.includes(part)) return;
  throw new AgentXError('NOT_FOUND', `${id} has no part '${part}'. Its parts: ${parts.join(', ')}.`, { part, parts });
}
