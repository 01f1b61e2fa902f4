import * as z from 'zod/mini';
import { Assumption } from '../../protocol/assumption.js';
import { askerOf, issueOf, originOf } from '../caller.js';
import { ADDS, tool } from '../tool.js';
import { From, IssueArgument } from './arguments.js';

const { decision, reasoning, confidence, risk_if_wrong: risk } = Assumption.shape;

export const recordAssumption = tool({
  name: 'record_assumption',
  title: 'Record what you assume',
  description: `Record a decision that you take without an answer, when it is easy to undo or nobody can be asked, and then go on with it.
A human sees it, and can confirm or overturn it. Do not record what a document or an answer already says, and do not use it to avoid asking about what is expensive to undo: ask (request_clarification, ask_human) instead.`,
  annotations: ADDS,
  input: z.strictObject({
    decision: decision.check(z.describe('What you decided, in one sentence.')),
    reasoning: z.exactOptional(reasoning.check(z.describe('Why this is the best reading.'))),
    confidence: z.exactOptional(confidence),
    risk_if_wrong: z.exactOptional(risk.check(z.describe('What has to be redone if it is wrong.'))),
    artifacts: z.exactOptional(z.array(z.string()).check(z.describe('Files that rest on it.'))),
    issue: IssueArgument,
    from: From,
  }),
  async call({ issue: namedIssue, from, artifacts = [], ...assumption }, { app, caller }) {
    const { agent } = askerOf(caller, from);
    const issueNumber = issueOf(caller, namedIssue) ?? 0;
    const origin = originOf(caller, [agent, String(issueNumber)], ['assumption', assumption.decision]);
    const record = await app.recordAssumption({ origin, issueNumber, agent, assumption, artifacts });
    const { id, status } = record;
    const next = 'Go on with it. A human may confirm or reject it later.';
    return { text: `${id} is recorded: ${record.decision}\nNext: ${next}`, data: { id, status, issueNumber, next } };
  },
});
