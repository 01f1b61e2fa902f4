import type { McpServer as Server, ServerContext, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { App } from '../app/app.js';
import type { Call, Person } from './call.js';
import { clientOf } from './client.js';
import { patienceWith } from './client-timeout.js';
import { INSTRUCTIONS } from './instructions.js';
import { registerPrompts } from './prompts.js';
import { registerResources } from './resources.js';
import { refusalOf, resultOf } from './result.js';
import type { Serving } from './serving.js';
import { extensionsOf, registerTasks, taskFor } from './tasks.js';
import type { Tool } from './tool.js';
import { TOOLS } from './tools/tools.js';

/** A server for one connection, or for one request over HTTP. */
export function createServer(serving: Serving): Server {
  const { sdk, version } = serving;
  const server = new sdk.McpServer(
    { name: 'agentx', title: 'AgentX', version },
    // All requests share the app; a list that never changes needs no notice.
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false }, ...extensionsOf(serving) } },
  );
  const person = { isAway: false };
  const knowing = { ...serving, known: person };
  for (const tool of TOOLS) registerTool(server, tool, knowing);
  registerResources(server, serving);
  registerPrompts(server, serving);
  if (serving.isModern) {
    const callOfTask = (context: ServerContext) =>
      callOf(serving.app(), { ...serving, known: person, server, context, tool: 'tasks/get', args: {} });
    registerTasks(server, sdk, callOfTask);
  }
  return server;
}

interface Knowing extends Serving {
  readonly known: Person['known'];
}

function registerTool(server: Server, tool: Tool, serving: Knowing): void {
  const { name, title, description, annotations } = tool;
  server.registerTool(
    name,
    { title, description, annotations: { title, ...annotations }, inputSchema: described(tool) },
    async (args, context) => {
      let app: App | undefined;
      try {
        app = serving.app();
        const call = callOf(app, { ...serving, server, context, tool: name, args });
        const outcome = await tool.call(args, call);
        if ('form' in outcome) return outcome.form;
        return (annotations.readOnlyHint ? undefined : taskFor(call, outcome)) ?? resultOf(outcome);
      } catch (error) {
        return refusalOf(error, app?.log);
      }
    },
  );
}

interface Calling extends Knowing {
  readonly server: Server;
  readonly context: ServerContext;
  readonly tool: string;
  readonly args: unknown;
}

function callOf(app: App, calling: Calling): Call {
  const { server, context, caller, routes, maxSeconds } = calling;
  const client = clientOf(server, context);
  return {
    app,
    caller: { ...caller, client },
    person: personAt(calling),
    routes,
    maxSeconds: patienceWith(client.name, maxSeconds),
    signal: context.mcpReq.signal,
    report: reporting(context),
  };
}

const ANSWER = 'answer';

function personAt({ sdk, server, context, isModern, canRequest, tool, args, known }: Calling): Person {
  const { mcpReq } = context;
  const revision = server.server.getNegotiatedProtocolVersion() ?? '';
  const common = { tool, args, known, revision };
  if (!isModern) {
    if (!canRequest) return common;
    return {
      ...common,
      request: (form, signal) =>
        mcpReq.elicitInput(form, { signal, timeout: LONGEST_FORM_MS, relatedRequestId: mcpReq.id }),
    };
  }
  const state = mcpReq.requestState<string>();
  return {
    ...common,
    form: {
      make: (form, requestState) =>
        sdk.inputRequired({ inputRequests: { [ANSWER]: sdk.inputRequired.elicit(form) }, requestState }),
      ...(state !== undefined && { returned: { state, response: sdk.inputResponse(mcpReq.inputResponses, ANSWER) } }),
    },
  };
}

/** Never reached: our own deadline is earlier. */
const LONGEST_FORM_MS = 2 ** 31 - 1;

/** Progress for clients that want it: some of them wait longer then. */
function reporting({ mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return () => {
    if (progressToken === undefined) return;
    const params = { progressToken, progress: ++progress, message: 'No answer yet.' };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {}); // The client is gone.
  };
}

/** Over HTTP each request has a server of its own, so the servers share the descriptions. */
const descriptions = new Map<Tool, StandardSchemaWithJSON>();

/** Shows a schema and lets everything pass: we check arguments ourselves, for errors that say what is allowed. */
function described(tool: Tool): StandardSchemaWithJSON {
  const cachedSchema = descriptions.get(tool);
  if (cachedSchema !== undefined) return cachedSchema;
  let shownSchema: Readonly<Record<string, unknown>> | undefined;
  const json = () => {
    shownSchema ??= briefly(
      z.toJSONSchema(tool.shown, { io: 'input', override: ({ jsonSchema }) => shorten(jsonSchema) }),
    );
    return { ...shownSchema };
  };
  const description: StandardSchemaWithJSON = {
    '~standard': {
      version: 1,
      vendor: 'agentx',
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
  descriptions.set(tool, description);
  return description;
}

/** Models read the schema with every request, so it leaves out the obvious. */
function shorten(schema: { maximum?: unknown; additionalProperties?: unknown }): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (typeof schema.additionalProperties === 'object') delete schema.additionalProperties;
}

const briefly = ({ $schema: _, ...schema }: Readonly<Record<string, unknown>>) => schema;
