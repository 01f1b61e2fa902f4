import { join } from 'node:path';
import { type AgentCli, type CliOutcome, type CliTurn, type TurnServer, usageField, withDenied } from './agent-cli.js';
import { countAt, eventIn, type JsonEvent, listAt, textAt, valueAt, valuesAt } from './json-event.js';

const PERMISSIONS = {
  read: ['--deny-tool=write', '--deny-tool=shell'],
  edit: ['--allow-tool=write', '--deny-tool=shell'],
  full: ['--yolo'],
};

const usageFile = (folder: string) => join(folder, 'usage.json');

export const copilot: AgentCli = {
  name: 'copilot',
  program: 'copilot',
  package: '@github/copilot',
  login: 'start copilot once and log in, or set GH_TOKEN',
  keys: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'COPILOT_PROVIDER_API_KEY'],
  choosesSession: true,
  totals: ['tokens'],
  invoke: ({ permission, model, args, server, session, folder }: CliTurn) => ({
    args: [
      ...['--output-format', 'json', '--no-color', '--no-auto-update', '--no-ask-user'],
      // The same for a new session and for one that goes on.
      ...['--session-id', session.id],
      ...['--additional-mcp-config', serverJson(server), '--allow-tool=agentx'],
      ...['--usage-output-file', usageFile(folder)],
      ...PERMISSIONS[permission],
      ...(model === undefined ? [] : ['--model', model]),
      ...args,
    ],
  }),
  read: readEvent,
  readUsage: ({ folder, readFile }) => {
    const models = valuesAt(eventIn(readFile(usageFile(folder)) ?? ''), 'modelMetrics').map((one) =>
      valueAt(one, 'usage'),
    );
    const sum = (key: string) => models.reduce<number>((total, usage) => total + countAt(usage, key), 0);
    const figures = { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
    return usageField({ ...figures, cachedTokens: sum('cacheReadTokens') }).usage;
  },
  transcript: (session, { home, env }) =>
    join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state', session, 'events.jsonl'),
};

function serverJson({ command, args, env }: TurnServer): string {
  const agentx = { type: 'local', command, args, env, tools: ['*'], timeout: 900_000 };
  return JSON.stringify({ mcpServers: { agentx } });
}

function readEvent(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  const data = valueAt(event, 'data');
  switch (event.type) {
    case 'assistant.message':
      return messageOf({ ...outcome, isBegun: true }, data);
    case 'tool.execution_complete':
      return textAt(data, 'error', 'code') === 'denied' ? withDenied(outcome, deniedCall(data)) : outcome;
    case 'session.error':
      return { ...outcome, trouble: textAt(data, 'message') ?? 'an error' };
    case 'result':
      return ended(outcome, event);
    default:
      return outcome;
  }
}

/** A message that still asks for tools is not the last one. */
function messageOf(outcome: CliOutcome, data: unknown): CliOutcome {
  const text = textAt(data, 'content');
  return text === undefined || listAt(data, 'toolRequests').length > 0 ? outcome : { ...outcome, answer: text };
}

function deniedCall(data: unknown): string {
  return textAt(data, 'toolName') ?? textAt(data, 'error', 'message') ?? 'a tool';
}

function ended({ answer, ...outcome }: CliOutcome, event: JsonEvent): CliOutcome {
  const session = textAt(event, 'sessionId');
  const final = { ...outcome, isFinal: true, ...(session === undefined ? {} : { session }) };
  if (countAt(event, 'exitCode') === 0) return answer === undefined ? final : { ...final, answer };
  return { ...final, error: outcome.trouble ?? `it ended with code ${countAt(event, 'exitCode')}` };
}
