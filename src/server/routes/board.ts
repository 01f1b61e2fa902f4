import * as z from 'zod/mini';
import { AgentStatusFile } from '../../protocol/agent-status.js';
import { Issue } from '../../protocol/issue.js';
import { Page, pageOf } from '../page-of.js';
import { defineRoute } from '../route.js';

const listTasks = defineRoute({
  method: 'get',
  path: '/tasks',
  summary: 'The issues of the project, by number; a page at a time.',
  query: Page,
  response: z.object({ tasks: z.array(Issue), next: z.exactOptional(z.string()) }),
  async handle({ app, query }) {
    const { items } = await app.store.issues.list();
    const page = pageOf(items, query, ({ number }) => String(number).padStart(16, '0'));
    return { tasks: page.items, ...(page.next === undefined ? {} : { next: page.next }) };
  },
});

const showAgents = defineRoute({
  method: 'get',
  path: '/agents',
  summary: 'What every agent is at.',
  response: z.object({ agents: AgentStatusFile }),
  handle: async ({ app }) => ({ agents: await app.store.statuses.read() }),
});

const showReady = defineRoute({
  method: 'get',
  path: '/ready',
  summary: 'What can be worked on, and what is blocked and why.',
  response: z.object({
    ready: z.array(Issue),
    blocked: z.array(
      z.looseObject({
        issue: Issue,
        reason: z.string(),
        clarificationId: z.exactOptional(z.string()),
        questionId: z.exactOptional(z.string()),
      }),
    ),
  }),
  async handle({ app }) {
    const { ready, blocked } = await app.readyQueue();
    return { ready, blocked };
  },
});

const commentTask = defineRoute({
  method: 'post',
  path: '/tasks/:number/comments',
  summary: "Add to the conversation of an issue, in the caller's name.",
  params: z.object({ number: z.coerce.number().check(z.int(), z.gte(0)) }),
  body: z.object({ body: z.string() }),
  response: z.object({ task: Issue }),
  status: 201,
  handle: async ({ app, params, body, principal }) => ({
    task: await app.commentIssue({ number: params.number, body: body.body, author: principal }),
  }),
});

const Level = z.enum(['automated', 'notify_and_proceed', 'requires_approval']);

const showAutonomy = defineRoute({
  method: 'get',
  path: '/autonomy',
  summary: 'What agents may change without asking.',
  response: z.object({
    autonomy: z.object({ scopeChanges: Level, architectureDecisions: Level, dependencyModifications: Level }),
  }),
  async handle({ app }) {
    const { scopeChanges, architectureDecisions, dependencyModifications } = (await app.config()).autonomy;
    return { autonomy: { scopeChanges, architectureDecisions, dependencyModifications } };
  },
});

export const boardRoutes = [listTasks, commentTask, showAgents, showReady, showAutonomy];
