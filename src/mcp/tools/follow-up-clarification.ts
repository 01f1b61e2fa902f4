import * as z from 'zod/mini';
import { AgentXError } from '../../protocol/errors.js';
import { MAX_QUESTION_CHARACTERS } from '../../protocol/limits.js';
import { originOf } from '../caller.js';
import { follow, present } from '../follow.js';
import { requesterOf } from '../requester.js';
import { ADDS, tool } from '../tool.js';
import { ClarificationArgument, From } from './arguments.js';

export const followUpClarification = tool({
  name: 'follow_up_clarification',
  title: 'Ask on about an answer',
  description: `Ask the same agent once more when its answer to your clarification leaves something open or raises a new doubt.
Say what is still unclear, not the whole question again. Each follow-up uses a round; after the last one a human decides. If the answer is clear, call resolve_clarification instead.`,
  annotations: ADDS,
  input: z.strictObject({
    id: ClarificationArgument,
    question: z.string().check(z.describe(`What is still unclear, up to ${MAX_QUESTION_CHARACTERS} characters.`)),
    from: From,
  }),
  async call({ id: typedId, question, from }, call) {
    const { app, caller } = call;
    const id = await app.findId('clarification', typedId);
    const by = await requesterOf(call, id, from);
    const request = { clarificationId: id, question, by, origin: originOf(caller, [by], [id, question]) };
    try {
      return await follow(call, await app.openFollowUp(request));
    } catch (error) {
      if (!(error instanceof AgentXError) || error.code !== 'MAX_ROUNDS_EXCEEDED') throw error;
      return follow(call, await present(app, id));
    }
  },
});
