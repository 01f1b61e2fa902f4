import * as z from 'zod/mini';
import { AgentXError } from '../../protocol/errors.js';
import { renderIssue } from '../../render/issue.js';
import { requireIssue } from '../caller.js';
import { READS, tool } from '../tool.js';
import { IssueArgument } from './arguments.js';

export const getIssue = tool({
  name: 'get_issue',
  title: 'Read an issue',
  description: 'Read an issue before you work on it or ask about it: title, body, labels, status and comments.',
  annotations: READS,
  input: z.strictObject({ issue: IssueArgument }),
  async call({ issue: namedIssue }, { app, caller }) {
    const number = requireIssue(caller, namedIssue);
    const issue = await app.issue(number);
    if (issue === undefined)
      throw new AgentXError('NOT_FOUND', `There is no issue #${number}.`, { issueNumber: number });
    const timing = { now: app.clock.now(), isRelative: false };
    return { text: renderIssue(issue, { width: Number.POSITIVE_INFINITY, timing }), data: { issue } };
  },
});
