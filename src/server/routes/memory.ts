import * as z from 'zod/mini';
import { parseIssueNumber } from '../../protocol/ids.js';
import { parseLimit } from '../../protocol/observation-filter.js';
import { MemorySearchBody, MemoryStatsBody, ObservationBody, TimelineBody } from '../../protocol/rest.js';
import { defineRoute } from '../route.js';

const searchMemory = defineRoute({
  method: 'get',
  path: '/memory/search',
  summary: 'What was remembered, best match first; without a query, newest first.',
  query: z.object({
    q: z.exactOptional(z.string()),
    agent: z.exactOptional(z.string()),
    issue: z.exactOptional(z.string()),
    category: z.exactOptional(z.string()),
    since: z.exactOptional(z.string()),
    until: z.exactOptional(z.string()),
    limit: z.exactOptional(z.string()),
    typing: z.exactOptional(z.literal('true')),
  }),
  response: MemorySearchBody,
  async handle({ app, query: { q = '', issue, limit, typing, ...filters } }) {
    const memory = await app.memory();
    const { items, total, didYouMean } = await memory.search({
      ...filters,
      query: q,
      isTyped: typing === 'true',
      issueNumber: issue === undefined ? undefined : parseIssueNumber(issue),
      limit: limit === undefined ? undefined : parseLimit(limit),
    });
    const results = items.map(({ text, ...item }) => ({ ...item, ...(text !== undefined && { snippet: text }) }));
    return { results, total, ...(didYouMean !== undefined && { didYouMean }) };
  },
});

const memoryStats = defineRoute({
  method: 'get',
  path: '/memory/stats',
  summary: 'How much is remembered, of which agents and kinds, and what should be done about it.',
  response: MemoryStatsBody,
  async handle({ app }) {
    const { totalObservations, totalTokens, issueCount, archived, bytes, byCategory, byAgent, alerts } = await (
      await app.memory()
    ).stats();
    return {
      totalObservations,
      totalTokens,
      issueCount,
      archived,
      bytes,
      byCategory,
      byAgent,
      alerts: [...alerts],
    };
  },
});

const showObservation = defineRoute({
  method: 'get',
  path: '/memory/:id',
  summary: 'One observation in full.',
  params: z.object({ id: z.string() }),
  response: ObservationBody,
  handle: async ({ app, params }) => ({ observation: await (await app.memory()).show(params.id) }),
});

const observationTimeline = defineRoute({
  method: 'get',
  path: '/memory/:id/timeline',
  summary: 'One observation in full, and what happened on its issue before and after it.',
  params: z.object({ id: z.string() }),
  response: TimelineBody,
  handle: async ({ app, params }) => (await app.memory()).timeline(params.id),
});

export const memoryRoutes = [searchMemory, memoryStats, showObservation, observationTimeline];
