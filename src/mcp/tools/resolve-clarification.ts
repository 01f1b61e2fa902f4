import * as z from 'zod/mini';
import { MAX_ANSWER_CHARACTERS } from '../../protocol/limits.js';
import { requesterOf } from '../requester.js';
import { sayClarification } from '../say.js';
import { ADDS, tool } from '../tool.js';
import { ClarificationArgument, From } from './arguments.js';

export const resolveClarification = tool({
  name: 'resolve_clarification',
  title: 'Close a clarification',
  description: `Close a clarification once its answer is clear, with one sentence on what you will do because of it.
Others read that sentence to learn what was decided. If the answer is not clear, call follow_up_clarification instead.`,
  annotations: ADDS,
  input: z.strictObject({
    id: ClarificationArgument,
    message: z
      .string()
      .check(z.describe(`What you will do because of the answer, up to ${MAX_ANSWER_CHARACTERS} characters.`)),
    from: From,
  }),
  async call({ id: typedId, message, from }, call) {
    const { app } = call;
    const id = await app.findId('clarification', typedId);
    const by = await requesterOf(call, id, from);
    return sayClarification(call, await app.resolve({ clarificationId: id, body: message, by }));
  },
});
