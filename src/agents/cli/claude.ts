import { join } from 'node:path';
import { type AgentCli, type CliOutcome, type CliTurn, usageField, withDenied } from './agent-cli.js';
import { amountAt, countAt, type JsonEvent, listAt, textAt, valueAt } from './json-event.js';

const PERMISSIONS = {
  read: ['--permission-mode', 'default', '--disallowedTools', 'Edit,Write,NotebookEdit,Bash'],
  edit: ['--permission-mode', 'acceptEdits'],
  full: ['--permission-mode', 'bypassPermissions'],
};

export const claude: AgentCli = {
  name: 'claude',
  program: 'claude',
  package: '@anthropic-ai/claude-code',
  login: 'start claude once and log in, or set ANTHROPIC_API_KEY',
  keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  choosesSession: true,
  totals: ['cost'],
  invoke: ({ permission, model, args, server, session }: CliTurn) => ({
    args: [
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...(session.isNew ? ['--session-id', session.id] : ['--resume', session.id]),
      // Without `strict`, it would start the programs of the repository's .mcp.json without asking.
      ...['--strict-mcp-config', '--mcp-config', serverJson(server), '--allowedTools', 'mcp__agentx'],
      ...PERMISSIONS[permission],
      ...(model === undefined ? [] : ['--model', model]),
      ...args,
    ],
    // Set inside a session of claude itself, where it does not start another one.
    env: { CLAUDECODE: undefined, CLAUDE_CODE_SESSION_ID: undefined },
  }),
  read: readClaudeEvent,
  transcript: (session, { home, env }) =>
    join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects', '*', `${session}.jsonl`),
};

/** `alwaysLoad`: otherwise the model sees only the names of our tools and has to search for them. */
function serverJson({ command, args, env }: CliTurn['server']): string {
  return JSON.stringify({ mcpServers: { agentx: { command, args, env, alwaysLoad: true } } });
}

/** Qwen's events are the same, but its figure of input tokens includes those of the cache. */
export function readClaudeEvent(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  // The event that ends the stream has an id even if no session was opened.
  const session = event.type === 'result' ? undefined : textAt(event, 'session_id');
  const withSession = session === undefined ? outcome : { ...outcome, session };
  switch (event.type) {
    case 'assistant':
      return { ...withSession, isBegun: true };
    case 'system':
      return event.subtype === 'api_retry' ? { ...withSession, trouble: retryOf(event) } : withSession;
    case 'result':
      return resultOf(withSession, event);
    default:
      return withSession;
  }
}

function retryOf(event: JsonEvent): string {
  const status = countAt(event, 'error_status');
  const reason = textAt(event, 'error') ?? textAt(event, 'error', 'message') ?? '';
  const attempt = `try ${countAt(event, 'attempt')} of ${countAt(event, 'max_retries')}`;
  return [status === 0 ? 'the model did not answer' : `the model answered with status ${status}`, reason, attempt]
    .filter((part) => part !== '')
    .join(', ');
}

function resultOf(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  const deniedCalls = listAt(event, 'permission_denials').map(deniedCall);
  const finalOutcome = withDenied({ ...outcome, ...usageOf(event), isFinal: true }, ...deniedCalls);
  const result = textAt(event, 'result');
  if (event.is_error === false && result !== undefined) return { ...finalOutcome, answer: result };
  const error = result || textAt(event, 'error', 'message') || listAt(event, 'errors').map(String).join(', ');
  return { ...finalOutcome, error: error || String(textAt(event, 'subtype') ?? 'it failed') };
}

function deniedCall(denial: unknown): string {
  const input = valueAt(denial, 'tool_input');
  const what = textAt(input, 'command') ?? textAt(input, 'file_path') ?? '';
  return [textAt(denial, 'tool_name') ?? 'a tool', what].filter((part) => part !== '').join(': ');
}

function usageOf(event: JsonEvent): Pick<CliOutcome, 'usage'> {
  const usage = valueAt(event, 'usage');
  const cachedTokens = countAt(usage, 'cache_read_input_tokens');
  const cost = amountAt(event, 'total_cost_usd');
  return usageField({
    inputTokens: countAt(usage, 'input_tokens') + cachedTokens + countAt(usage, 'cache_creation_input_tokens'),
    cachedTokens,
    outputTokens: countAt(usage, 'output_tokens'),
    ...(cost === undefined ? {} : { cost }),
  });
}
