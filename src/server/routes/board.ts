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

export const boardRoutes = [listTasks, showAgents, showReady];
