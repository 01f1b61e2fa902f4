import * as z from 'zod/mini';
import { UNPAINTED } from '../../render/conversation.js';
import { renderObservations } from '../../render/memory.js';
import { askerOf, issueOf } from '../caller.js';
import { READS, tool } from '../tool.js';
import { From, IssueArgument } from './arguments.js';

const MOST = 20;

export const recallMemory = tool({
  name: 'recall_memory',
  title: 'Recall what was found out before',
  description: `Look up what earlier sessions decided, changed or stumbled over, before you ask or decide it again.
With query, it finds the best matches anywhere in the project; without one, what is known about your issue. Results are hints: what was decided with a human or another agent names its source. get_observation has the full text.`,
  annotations: READS,
  input: z.strictObject({
    query: z.exactOptional(z.string().check(z.describe('What you want to know, in any words.'))),
    limit: z.exactOptional(z.int().check(z.gte(1), z.lte(MOST))),
    issue: IssueArgument,
    from: From,
  }),
  async call({ query = '', limit = 10, issue: namedIssue, from }, { app, caller }) {
    const { agent } = askerOf(caller, from);
    const issueNumber = issueOf(caller, namedIssue) ?? 0;
    const memory = await app.memory();
    if (query.trim() === '') {
      const { section, observations } = await memory.recall({ agent, issueNumber });
      return { text: section || 'Nothing is remembered about this issue.', data: { observations } };
    }
    const { items, didYouMean } = await memory.search({
      query,
      limit,
      ...(namedIssue !== undefined && { issueNumber }),
    });
    const view = { width: 100, paint: UNPAINTED, now: app.clock.now(), isRelative: false };
    const hint = didYouMean === undefined ? '' : `\nDid you mean: ${didYouMean}`;
    const text = items.length === 0 ? `Nothing is remembered about that.${hint}` : renderObservations(items, view);
    return { text, data: { results: items, ...(didYouMean !== undefined && { didYouMean }) } };
  },
});
