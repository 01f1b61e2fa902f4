import * as z from 'zod/mini';
import { parseIssueNumber } from '../../protocol/ids.js';
import { Observation, ObservationIndex } from '../../protocol/observation.js';
import { defineRoute } from '../route.js';

const Found = z.extend(ObservationIndex, { score: z.number(), snippet: z.exactOptional(z.string()) });

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
    limit: z.exactOptional(z.string()),
  }),
  response: z.object({ results: z.array(Found), total: z.number(), didYouMean: z.exactOptional(z.string()) }),
  async handle({ app, query: { q = '', issue, limit, ...filters } }) {
    const memory = await app.memory();
    const { items, total, didYouMean } = await memory.search({
      ...filters,
      query: q,
      issueNumber: issue === undefined ? undefined : parseIssueNumber(issue),
      limit: limit === undefined ? undefined : Number(limit),
    });
    const results = items.map(({ text, ...item }) => ({ ...item, ...(text !== undefined && { snippet: text }) }));
    return { results, total, ...(didYouMean !== undefined && { didYouMean }) };
  },
});

const showObservation = defineRoute({
  method: 'get',
  path: '/memory/:id',
  summary: 'One observation in full.',
  params: z.object({ id: z.string() }),
  response: z.object({ observation: Observation }),
  handle: async ({ app, params }) => ({ observation: await (await app.memory()).show(params.id) }),
});

export const memoryRoutes = [searchMemory, showObservation];
