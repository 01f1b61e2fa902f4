import * as z from 'zod/mini';
import type { DigestDay, DigestTarget } from '../../protocol/digest.js';
import { DigestBody } from '../../protocol/rest.js';
import { defineRoute } from '../route.js';

const showDigest = defineRoute({
  method: 'get',
  path: '/digest',
  summary: 'A week in figures, beside their targets and the week before.',
  query: z.object({ week: z.exactOptional(z.string()) }),
  response: DigestBody,
  handle: async ({ app, query }) => ({ digest: (await app.countWeek(query)).digest }),
});

const showMetrics = defineRoute({
  method: 'get',
  path: '/metrics',
  summary: 'How asking went in the last 30 days, or so many: resolved without a human, escalated, rounds, stale.',
  query: z.object({ days: z.exactOptional(z.coerce.number()) }),
  response: z.object({
    from: z.string(),
    to: z.string(),
    total: z.int(),
    autoResolutionRate: z.nullable(z.number()),
    escalationRate: z.nullable(z.number()),
    averageRounds: z.nullable(z.number()),
    staleCount: z.int(),
    deadlockCount: z.int(),
    targets: z.array(z.custom<DigestTarget>()),
    days: z.array(z.custom<DigestDay>()),
  }),
  handle: async ({ app, query }) => (await app.metrics(query)).metrics,
});

export const digestRoutes = [showDigest, showMetrics];
