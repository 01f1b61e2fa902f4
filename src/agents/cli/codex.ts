import { join } from 'node:path';
import { type AgentCli, type CliOutcome, type TurnServer, usageField, withDenied } from './agent-cli.js';
import { countAt, type JsonEvent, textAt, valueAt } from './json-event.js';

const SANDBOXES = { read: 'read-only', edit: 'workspace-write', full: 'danger-full-access' };

export const codex: AgentCli = {
  name: 'codex',
  program: 'codex',
  package: '@openai/codex',
  login: 'run codex login, or set CODEX_API_KEY',
  keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
  choosesSession: false,
  totals: ['tokens'],
  invoke: ({ permission, model, args, server, session }) => ({
    args: [
      'exec',
      ...(session.isNew ? [] : ['resume']),
      ...['--json', '--skip-git-repo-check'],
      ...(model === undefined ? [] : ['--model', model]),
      // A resumed session takes no other form of these.
      ...setting('sandbox_mode', SANDBOXES[permission]),
      ...setting('approval_policy', 'never'),
      ...serverSettings(server),
      ...args,
      ...(session.isNew ? [] : [session.id]),
      '-',
    ],
  }),
  read: readEvent,
  transcript: (session, { home, env }) =>
    join(env.CODEX_HOME || join(home, '.codex'), 'sessions', '*', '*', '*', `rollout-*-${session}.jsonl`),
};

/** It does not wait for a server unless it is `required`, and gives it no variable that is not named. */
function serverSettings({ command, args, env, passed }: TurnServer): readonly string[] {
  const server = (key: string, value: unknown) => setting(`mcp_servers.agentx.${key}`, value);
  return [
    ...server('command', command),
    ...server('args', args),
    ...Object.entries(env).flatMap(([name, value]) => server(`env.${name}`, value)),
    ...server('env_vars', passed),
    ...server('required', true),
    ...server('tool_timeout_sec', 900),
    ...server('default_tools_approval_mode', 'approve'),
  ];
}

/** JSON's strings and lists of strings are TOML's. */
function setting(key: string, value: unknown): readonly string[] {
  return ['-c', `${key}=${JSON.stringify(value)}`];
}

function readEvent(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  switch (event.type) {
    case 'thread.started': {
      const session = textAt(event, 'thread_id');
      return session === undefined ? outcome : { ...outcome, session };
    }
    case 'item.started':
    case 'item.completed':
      return itemOf(outcome, event);
    case 'error':
      return { ...outcome, trouble: textAt(event, 'message') ?? 'an error' };
    case 'turn.failed':
      return { ...outcome, isFinal: true, error: textAt(event, 'error', 'message') ?? outcome.trouble ?? 'it failed' };
    case 'turn.completed':
      return { ...outcome, ...usageOf(event), isFinal: true };
    default:
      return outcome;
  }
}

/** An item of type `error` may be a mere warning; the last message is the answer. */
function itemOf(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  const item = valueAt(event, 'item');
  const type = textAt(item, 'type');
  if (type === 'error') return outcome;
  const outcomeNow = { ...outcome, isBegun: true };
  if (event.type !== 'item.completed') return outcomeNow;
  const text = textAt(item, 'text');
  if (type === 'agent_message' && text !== undefined) return { ...outcomeNow, answer: text };
  const error = textAt(item, 'error', 'message') ?? '';
  if (type === 'mcp_tool_call' && /requires approval|rejected|denied/i.test(error)) {
    return withDenied(outcomeNow, `${textAt(item, 'server') ?? 'mcp'}.${textAt(item, 'tool') ?? 'tool'}`);
  }
  const isDeclined = textAt(item, 'status') === 'declined';
  return isDeclined ? withDenied(outcomeNow, `shell: ${textAt(item, 'command') ?? type ?? 'a command'}`) : outcomeNow;
}

function usageOf(event: JsonEvent): Pick<CliOutcome, 'usage'> {
  const usage = valueAt(event, 'usage');
  return usageField({
    inputTokens: countAt(usage, 'input_tokens'),
    cachedTokens: countAt(usage, 'cached_input_tokens'),
    outputTokens: countAt(usage, 'output_tokens'),
  });
}
