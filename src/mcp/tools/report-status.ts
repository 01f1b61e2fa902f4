import * as z from 'zod/mini';
import { askerOf, issueOf } from '../caller.js';
import { ADDS, tool } from '../tool.js';
import { From, IssueArgument } from './arguments.js';

export const reportStatus = tool({
  name: 'report_status',
  title: 'Say how your work stands',
  description: `Say that you begin to work on an issue, are done with it, are stuck or idle, so that people and other agents see it.
Call it with working when you begin, and with done when your part is finished. While you wait for an answer your status is shown by itself.`,
  annotations: ADDS,
  input: z.strictObject({
    status: z.enum(['working', 'done', 'stuck', 'idle']),
    issue: IssueArgument,
    from: From,
  }),
  async call({ status, issue: namedIssue, from }, { app, caller }) {
    const { agent } = askerOf(caller, from);
    const issue = issueOf(caller, namedIssue);
    const entry = await app.setStatus({ agent, status, ...(issue !== undefined && { issue }) });
    return {
      text: `${agent} is ${entry.status}.`,
      data: { agent, status: entry.status, ...(issue !== undefined && { issue }) },
    };
  },
});
