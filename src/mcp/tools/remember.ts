import * as z from 'zod/mini';
import { ObservationCategory } from '../../protocol/observation.js';
import { askerOf, issueOf } from '../caller.js';
import { ADDS, tool } from '../tool.js';
import { From, IssueArgument } from './arguments.js';

export const remember = tool({
  name: 'remember',
  title: 'Remember something for later sessions',
  description: `Remember a decision, a change, an error or a fact that a later session should not have to find out again.
One fact per call, in one or two sentences that make sense without this conversation. It is a hint to others, not an answer: use record_assumption for what you assume. Secrets are taken out.`,
  annotations: ADDS,
  input: z.strictObject({
    content: z.string().check(z.describe('The fact, with names and figures.')),
    category: z.exactOptional(ObservationCategory),
    issue: IssueArgument,
    from: From,
  }),
  async call({ content, category = 'key-fact', issue: namedIssue, from }, { app, caller }) {
    const { agent } = askerOf(caller, from);
    const issueNumber = issueOf(caller, namedIssue) ?? 0;
    const source = { kind: 'note' as const, id: 'remember' };
    const { observations, merged } = await (await app.memory()).add({
      agent,
      issueNumber,
      drafts: [{ category, content, source }],
    });
    const [observation] = observations;
    const how = merged > 0 ? 'This was remembered already' : 'This is remembered';
    return { text: `${how}: ${observation?.id}`, data: { id: observation?.id, merged: merged > 0, issueNumber } };
  },
});
