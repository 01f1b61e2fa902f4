import * as z from 'zod/mini';
import { AssumptionId, parseIssueNumber } from '../../protocol/ids.js';
import { Question } from '../../protocol/question.js';
import { AssumptionsBody, VerdictBody } from '../../protocol/rest.js';
import { defineRoute } from '../route.js';

const Id = z.object({ id: AssumptionId });

const listAssumptions = defineRoute({
  method: 'get',
  path: '/assumptions',
  summary: 'What was decided without an explicit answer; of one issue, or of all.',
  query: z.object({ issue: z.exactOptional(z.string()) }),
  response: AssumptionsBody,
  async handle({ app, query: { issue } }) {
    const { items } = await app.assumptions(issue === undefined ? undefined : parseIssueNumber(issue));
    return { assumptions: items };
  },
});

const confirmAssumption = defineRoute({
  method: 'post',
  path: '/assumptions/:id/confirm',
  summary: 'A human says that the assumption is right; a choice between keep and rework that waits for them is kept.',
  params: Id,
  response: VerdictBody,
  handle: async ({ app, params, principal, authority }) => ({
    assumption: await app.confirmAssumption({
      id: params.id,
      by: principal,
      through: { channel: 'web', authority },
    }),
  }),
});

const rejectAssumption = defineRoute({
  method: 'post',
  path: '/assumptions/:id/reject',
  summary: 'A human says what should have been decided; keep or rework is asked then.',
  params: Id,
  body: z.object({ reason: z.string() }),
  response: z.extend(VerdictBody, { notification: Question }),
  async handle({ app, params, body, principal }) {
    const { assumption, question } = await app.rejectAssumption({ id: params.id, by: principal, reason: body.reason });
    return { assumption, notification: question };
  },
});

export const assumptionRoutes = [listAssumptions, confirmAssumption, rejectAssumption];
