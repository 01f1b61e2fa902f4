import * as z from 'zod/mini';
import type { App } from '../../app/app.js';
import { AgentXError } from '../../protocol/errors.js';
import { MAX_QUESTION_CHARACTERS, MAX_TOPIC_CHARACTERS } from '../../protocol/limits.js';
import { askerOf, originOf, requireIssue } from '../caller.js';
import { follow, openAgain } from '../follow.js';
import { ADDS, tool } from '../tool.js';
import { From, IssueArgument } from './arguments.js';

export const requestClarification = tool({
  name: 'request_clarification',
  title: 'Ask the agent who decided',
  description: `Ask the upstream agent (architect, product-manager, ux-designer...) instead of guessing, when what you need is not said, can be read in two ways, or contradicts something else.
Ask before you build on the unclear point, and only what the issue, the documents, the code and earlier answers do not say. Do not ask about what is easy to change later: decide it, and call record_assumption.
One question per call: name the place, the readings you see, and which one you would take. With blocking true (the default where allowed) the call waits for the answer; with blocking false you go on at once and look later with get_question. If the result says pending, follow its "next"; do not guess meanwhile.`,
  annotations: ADDS,
  input: z.strictObject({
    to: z.string().check(z.describe('The agent that knows, such as architect.')),
    topic: z
      .string()
      .check(z.describe(`A few words that name the unclear point, up to ${MAX_TOPIC_CHARACTERS} characters.`)),
    question: z
      .string()
      .check(
        z.describe(
          `What you need to know, up to ${MAX_QUESTION_CHARACTERS} characters: the place, the readings, your preference.`,
        ),
      ),
    blocking: z.exactOptional(
      z.boolean().check(z.describe('true: you cannot go on without the answer. false: you go on and look later.')),
    ),
    from: From,
    issue: IssueArgument,
  }),
  async call({ to, topic, question, blocking, from, issue: namedIssue }, call) {
    const { app, caller } = call;
    const { agent, isGuest } = askerOf(caller, from);
    if (isGuest) await requireKnown(app, agent);
    const issueNumber = requireIssue(caller, namedIssue);
    const { step, clarification } = caller;
    const openedAsk = await openAgain(app, {
      issueNumber,
      from: agent,
      to,
      topic,
      question,
      ...(blocking !== undefined && { blocking }),
      ...(step !== undefined && caller.issue === String(issueNumber) && { stepId: step }),
      ...(clarification !== undefined && { within: clarification }),
      origin: originOf(caller, [agent, String(issueNumber)], [to, topic, question, String(blocking === false)]),
    });
    return follow(call, openedAsk);
  },
});

/** A workflow says who may ask whom, so a client of which only the name is known has to say which agent it is. */
async function requireKnown(app: App, agent: string): Promise<void> {
  const allowed = await app.agents();
  if (allowed.includes(agent)) return;
  throw new AgentXError(
    'INVALID_INPUT',
    `Who asks? '${agent}' is no agent here. Call again with from, the agent that you are: ${allowed.join(', ')}.`,
    { from: agent, allowed },
  );
}
