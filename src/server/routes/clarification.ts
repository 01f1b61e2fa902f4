import * as z from 'zod/mini';
import { type ClarificationRecord, ClarificationStatus } from '../../protocol/clarification.js';
import { ClarificationId, escalationQuestionId, HUMAN, parseClarificationId } from '../../protocol/ids.js';
import { ClarificationBody, ClarificationsBody } from '../../protocol/rest.js';
import { goOn } from '../go-on.js';
import { nextPage, Page, pagingOf } from '../paging.js';
import { defineRoute } from '../route.js';

const Id = z.object({ id: ClarificationId });
const Result = z.looseObject({ clarificationId: ClarificationId, status: ClarificationStatus, round: z.int() });

const listClarifications = defineRoute({
  method: 'get',
  path: '/clarifications',
  summary: 'What agents ask agents: those that are still open, or all; a page at a time.',
  query: z.extend(Page, { status: z._default(z.enum(['active', 'all']), 'active') }),
  response: ClarificationsBody,
  async handle({ app, query }) {
    const { items, next } = await app.clarifications(query.status, pagingOf(query));
    return { clarifications: items.map(withIssue), ...nextPage(next) };
  },
});

const showClarification = defineRoute({
  method: 'get',
  path: '/clarifications/:id',
  summary: 'One clarification with its whole thread.',
  params: Id,
  response: ClarificationBody,
  async handle({ app, params }) {
    return { clarification: withIssue(await app.showClarification(params.id)) };
  },
});

const resolveClarification = defineRoute({
  method: 'post',
  path: '/clarifications/:id/resolve',
  summary: 'A human ends a clarification with what was decided.',
  params: Id,
  body: z.object({ body: z.string() }),
  response: Result,
  handle: async ({ app, params, body, principal }) => {
    const result = await app.resolve({ clarificationId: params.id, body: body.body, by: HUMAN, principal });
    const { id, round, thread } = result.record;
    if (thread.some(({ type }) => type === 'escalation')) goOn(app, escalationQuestionId(id, round));
    return result;
  },
});

const escalateClarification = defineRoute({
  method: 'post',
  path: '/clarifications/:id/escalate',
  summary: 'A human takes a clarification over: it becomes a question in the inbox.',
  params: Id,
  body: z.object({ reason: z.string() }),
  response: Result,
  handle: ({ app, params, body, principal }) =>
    app.escalate({ clarificationId: params.id, reason: body.reason, by: HUMAN, principal }),
});

function withIssue(record: ClarificationRecord) {
  return { ...record, issueNumber: parseClarificationId(record.id).issueNumber };
}

export const clarificationRoutes = [listClarifications, showClarification, resolveClarification, escalateClarification];
