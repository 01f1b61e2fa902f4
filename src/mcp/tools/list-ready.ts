import * as z from 'zod/mini';
import { priorityOf, typeOf } from '../../protocol/issue.js';
import { plainLine } from '../../render/plain-text.js';
import { READS, tool } from '../tool.js';

export const listReady = tool({
  name: 'list_ready',
  title: 'List what can be worked on',
  description: 'See which issues can be worked on now, the most urgent first, and which are blocked and by what.',
  annotations: READS,
  input: z.strictObject({}),
  async call(_, { app }) {
    const { ready, blocked } = await app.readySummaries();
    const lines = [
      ...ready.map(
        (issue) => `#${issue.number} P${priorityOf(issue) ?? '-'} ${typeOf(issue)} ${plainLine(issue.title)}`,
      ),
      ...blocked.map(({ issue, reason }) => `#${issue.number} ${plainLine(issue.title)}: ${plainLine(reason)}`),
    ];
    return { text: lines.join('\n') || 'Nothing is ready and nothing is blocked.', data: { ready, blocked } };
  },
});
