import { type AgentCli, type CliOutcome, NO_USAGE, usageField, withDenied } from './agent-cli.js';
import { amountAt, countAt, eventIn, type JsonEvent, objectAt, textAt, valueAt } from './json-event.js';

/** Its defaults allow everything; `ask` would end the run without a word, so what is not allowed is denied. */
const PERMISSIONS = {
  read: { edit: 'deny', bash: 'deny', webfetch: 'deny', external_directory: 'deny' },
  edit: { edit: 'allow', bash: 'deny', webfetch: 'deny', external_directory: 'deny' },
  full: { edit: 'allow', bash: 'allow', webfetch: 'allow', external_directory: 'allow', doom_loop: 'allow' },
};

export const opencode: AgentCli = {
  name: 'opencode',
  program: 'opencode',
  package: 'opencode-ai',
  login: 'run opencode auth login',
  keys: ['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY'],
  choosesSession: false,
  totals: [],
  invoke: ({ permission, model, args: more, server, session, env }) => {
    const { command, args, env: environment } = server;
    const agentx = { type: 'local', command: [command, ...args], environment, enabled: true, timeout: 900_000 };
    const ownConfig = eventIn(env.OPENCODE_CONFIG_CONTENT ?? '') ?? {};
    const content = {
      ...ownConfig,
      mcp: { ...objectAt(ownConfig, 'mcp'), agentx },
      permission: PERMISSIONS[permission],
    };
    return {
      args: [
        ...['run', '--format', 'json'],
        ...(session.isNew ? [] : ['--session', session.id]),
        ...(model === undefined ? [] : ['--model', model]),
        ...more,
      ],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify(content),
        // The repository's own settings may name programs, which it would start without asking.
        OPENCODE_DISABLE_PROJECT_CONFIG: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
      },
    };
  },
  read: readEvent,
};

function readEvent(before: CliOutcome, event: JsonEvent): CliOutcome {
  const session = event.type === 'error' ? undefined : textAt(event, 'sessionID');
  const outcome = session === undefined ? before : { ...before, session };
  const part = valueAt(event, 'part');
  switch (event.type) {
    case 'step_start':
      return withoutAnswer(outcome);
    case 'text': {
      const text = textAt(part, 'text');
      const answer = [outcome.answer, text].filter((words) => words !== undefined).join('\n\n');
      return text === undefined ? outcome : { ...outcome, isBegun: true, answer };
    }
    case 'tool_use':
      return toolUse(outcome, part);
    case 'step_finish':
      return stepFinish(outcome, part);
    case 'error':
      return { ...withoutAnswer(outcome), isFinal: true, error: errorOf(event) };
    default:
      return outcome;
  }
}

function withoutAnswer({ answer: _, ...outcome }: CliOutcome): CliOutcome {
  return outcome;
}

/** What it said before a tool call is not the answer. */
function toolUse(outcome: CliOutcome, part: unknown): CliOutcome {
  const outcomeNow = { ...withoutAnswer(outcome), isBegun: true };
  const error = textAt(part, 'state', 'error') ?? '';
  const isDenied = textAt(part, 'state', 'status') === 'error' && /permission|rejected|denied/i.test(error);
  if (!isDenied) return outcomeNow;
  const input = valueAt(part, 'state', 'input');
  const what = textAt(input, 'command') ?? textAt(input, 'filePath') ?? '';
  return withDenied(outcomeNow, [textAt(part, 'tool') ?? 'a tool', what].filter((word) => word !== '').join(': '));
}

/** Each step of the conversation tells what it used. */
function stepFinish(outcome: CliOutcome, part: unknown): CliOutcome {
  const tokens = valueAt(part, 'tokens');
  const cachedTokens = countAt(tokens, 'cache', 'read');
  const before = outcome.usage ?? NO_USAGE;
  const cost = amountAt(part, 'cost');
  return {
    ...outcome,
    isFinal: textAt(part, 'reason') !== 'tool-calls',
    ...usageField({
      inputTokens: before.inputTokens + countAt(tokens, 'input') + cachedTokens + countAt(tokens, 'cache', 'write'),
      cachedTokens: before.cachedTokens + cachedTokens,
      outputTokens: before.outputTokens + countAt(tokens, 'output') + countAt(tokens, 'reasoning'),
      // It says 0 for a model whose price it does not know.
      ...(cost === undefined || cost === 0 ? costField(before.cost) : { cost: (before.cost ?? 0) + cost }),
    }),
  };
}

function costField(cost: number | undefined): { readonly cost?: number } {
  return cost === undefined ? {} : { cost };
}

function errorOf(event: JsonEvent): string {
  const error = valueAt(event, 'error');
  return textAt(error, 'data', 'message') ?? textAt(error, 'message') ?? textAt(error, 'name') ?? 'it failed';
}
