import * as z from 'zod/mini';
import type { Digest } from '../../protocol/digest.js';
import { defineRoute } from '../route.js';

const Week = z.object({ week: z.exactOptional(z.string()) });

const showDigest = defineRoute({
  method: 'get',
  path: '/digest',
  summary: 'A week in figures, beside their targets and the week before.',
  query: Week,
  response: z.object({ digest: z.custom<Digest>() }),
  handle: async ({ app, query }) => ({ digest: (await app.countWeek(query)).digest }),
});

const showMetrics = defineRoute({
  method: 'get',
  path: '/metrics',
  summary: 'How asking goes this week: total, resolved without a human, escalated, rounds, stale, deadlocks.',
  query: Week,
  response: z.object({
    total: z.int(),
    autoResolutionRate: z.nullable(z.number()),
    escalationRate: z.nullable(z.number()),
    averageRounds: z.nullable(z.number()),
    staleCount: z.int(),
    deadlockCount: z.int(),
  }),
  async handle({ app, query }) {
    const { totals, rates } = (await app.countWeek(query)).digest;
    return {
      total: totals.clarifications,
      autoResolutionRate: rates.autoResolution,
      escalationRate: rates.escalation,
      averageRounds: rates.averageRounds,
      staleCount: totals.stale,
      deadlockCount: totals.deadlocks,
    };
  },
});

export const digestRoutes = [showDigest, showMetrics];
