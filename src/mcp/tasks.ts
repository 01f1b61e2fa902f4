import type { CallToolResult, McpServer as Server, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { Call, Subject, ToolAnswer } from './call.js';
import { TASKS } from './client.js';
import type { Sdk } from './load-sdk.js';
import { inProtocol } from './protocol-error.js';
import { resultOf } from './result.js';
import type { Serving } from './serving.js';
import { getQuestion } from './tools/get-question.js';

/*
 * The tasks extension of revision 2026-07-28. Where another client gets "pending" and its model has to look later, a
 * client with the extension gets a task, and looks for the answer by itself. We keep nothing for a task: its id is that
 * of the question or the clarification, which every process of the folder knows, also after a restart.
 */

const POLL_MS = 1_000;
/** How long one look waits: an answer that comes meanwhile is returned at once. */
const LOOK_SECONDS = 1;

export const extensionsOf = ({ isModern }: Serving) => (isModern ? { extensions: { [TASKS]: {} } } : {});

/** Undefined if the answer is there, if the agent goes on without it, or if the client knows no tasks. */
export function taskFor({ caller }: Call, { about, data }: ToolAnswer): CallToolResult | undefined {
  // Inside a run, an agent may end its turn instead of waiting: the run waits.
  const isInRun = caller.turn !== undefined || caller.clarification !== undefined;
  if (about?.isAwaited !== true || !caller.client.hasTasks || isInRun) return undefined;
  return { resultType: 'task', ...taskOf(about, data), content: [] };
}

function taskOf({ id, isOpen, createdAt, updatedAt }: Subject, { next }: ToolAnswer['data']) {
  return {
    taskId: id,
    status: isOpen ? ('working' as const) : ('completed' as const),
    statusMessage: String(next),
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

const params = z.looseObject({ taskId: z.string() });

export function registerTasks({ server }: Server, sdk: Sdk, callOf: (context: ServerContext) => Call): void {
  const look = (taskId: string, context: ServerContext, seconds: number) =>
    inProtocol(sdk, async () => {
      const call = callOf(context);
      if (!call.caller.client.hasTasks)
        throw new sdk.MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
      // A person who is at the client was asked before there was a task.
      const { form: _, ...person } = call.person;
      const outcome = await getQuestion.call({ id: taskId, wait_seconds: seconds }, { ...call, person });
      if ('form' in outcome || outcome.about === undefined) throw new Error('a look told of nothing');
      return { ...taskOf(outcome.about, outcome.data), said: outcome };
    });
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => {
    const { said, ...task } = await look(taskId, context, LOOK_SECONDS);
    return task.status === 'working' ? task : { ...task, result: { resultType: 'complete', ...resultOf(said) } };
  });
  // A task never asks the client for anything, and a question is not withdrawn: both are only acknowledged.
  for (const method of ['tasks/update', 'tasks/cancel']) {
    server.setRequestHandler(method, { params }, async ({ taskId }, context) => {
      await look(taskId, context, 0);
      return {};
    });
  }
}
