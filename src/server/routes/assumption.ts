import * as z from 'zod/mini';
import { AssumptionId, parseIssueNumber } from '../../protocol/ids.js';
import { Question } from '../../protocol/question.js';
import { AssumptionsBody, VerdictBody } from '../../protocol/rest.js';
import { nextPage, Page, pagingOf } from '../paging.js';
import { defineRoute } from '../route.js';

const Id = z.object({ id: AssumptionId });

const listAssumptions = defineRoute({
  method: 'get',
  path: '/assumptions',
  summary: 'What was decided without an explicit answer, of one issue or of all; a page at a time.',
  query: z.extend(Page, { issue: z.exactOptional(z.string()) }),
  response: AssumptionsBody,
  async handle({ app, query }) {
    const issueNumber = query.issue === undefined ? undefined : parseIssueNumber(query.issue);
    const { items, next, total } = await app.assumptions(issueNumber, pagingOf(query));
    return { assumptions: items, total, ...nextPage(next) };
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
