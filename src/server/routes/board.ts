import * as z from 'zod/mini';
import { parseIssueNumber } from '../../protocol/ids.js';
import { Issue } from '../../protocol/issue.js';
import { AgentsBody, AutonomyBody, BranchesBody, ReadyBody, RunsBody, TasksBody } from '../../protocol/rest.js';
import { nextPage, Page, pagingOf } from '../paging.js';
import { defineRoute } from '../route.js';

const listTasks = defineRoute({
  method: 'get',
  path: '/tasks',
  summary: 'The issues of the project, by number; a page at a time.',
  query: Page,
  response: TasksBody,
  async handle({ app, query }) {
    const { items, next } = await app.issues(pagingOf(query));
    return { tasks: items, ...nextPage(next) };
  },
});

const showAgents = defineRoute({
  method: 'get',
  path: '/agents',
  summary: 'What every agent is at, also where its process died.',
  response: AgentsBody,
  handle: async ({ app }) => ({ agents: (await app.whoIsAtWhat()).agents }),
});

const listRuns = defineRoute({
  method: 'get',
  path: '/runs',
  summary: 'The runs that have not ended: which wait for whom, and which no process carries on.',
  response: RunsBody,
  async handle({ app }) {
    const { items } = await app.unfinishedRuns();
    return {
      runs: items.map(({ id, issueNumber, workflow, status, startedAt, updatedAt, waitingOn, ended, goOn }) => ({
        runId: id,
        issueNumber,
        workflow,
        status,
        startedAt,
        updatedAt,
        waitingOn,
        ended,
        ...(goOn === undefined ? {} : { goOn }),
      })),
    };
  },
});

const listBranches = defineRoute({
  method: 'get',
  path: '/branches',
  summary: 'The branches of runs that wait for a person to review them: their work trees are still there.',
  response: BranchesBody,
  async handle({ app }) {
    const branches = await app.branches();
    return {
      branches: branches.map(({ run: { id, issueNumber, status, updatedAt }, branch }) => ({
        runId: id,
        issueNumber,
        status,
        updatedAt,
        ...branch,
      })),
    };
  },
});

const showReady = defineRoute({
  method: 'get',
  path: '/ready',
  summary: 'What can be worked on, and what is blocked and why.',
  response: ReadyBody,
  async handle({ app }) {
    const { ready, blocked } = await app.readyQueue();
    return { ready, blocked };
  },
});

const commentTask = defineRoute({
  method: 'post',
  path: '/tasks/:number/comments',
  summary: "Add to the conversation of an issue, in the caller's name.",
  params: z.object({ number: z.string() }),
  body: z.object({ body: z.string() }),
  response: z.object({ task: Issue }),
  status: 201,
  handle: async ({ app, params, body, principal }) => ({
    task: await app.commentIssue({ number: parseIssueNumber(params.number), body: body.body, author: principal }),
  }),
});

const showAutonomy = defineRoute({
  method: 'get',
  path: '/autonomy',
  summary: 'What agents may change without asking.',
  response: AutonomyBody,
  async handle({ app }) {
    const { scopeChanges, architectureDecisions, dependencyModifications } = (await app.config()).autonomy;
    return { autonomy: { scopeChanges, architectureDecisions, dependencyModifications } };
  },
});

export const boardRoutes = [listTasks, commentTask, showAgents, listRuns, listBranches, showReady, showAutonomy];
