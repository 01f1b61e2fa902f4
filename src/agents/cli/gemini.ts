import { join } from 'node:path';
import { type AgentCli, type CliOutcome, heldBack, usageField, withDenied } from './agent-cli.js';
import { countAt, eventIn, type JsonEvent, objectAt, textAt, valueAt } from './json-event.js';

const MODES = { read: 'default', edit: 'auto_edit', full: 'yolo' };

/*
 * It takes no server on its command line, and its files for the whole machine must belong to root. So it gets a home of
 * its own for the turn, in which everything but the settings is a link to the user's.
 */

export const gemini: AgentCli = {
  name: 'gemini',
  program: 'gemini',
  package: '@google/gemini-cli',
  login: 'start gemini once and log in, or set GEMINI_API_KEY',
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  choosesSession: true,
  totals: [],
  invoke: ({ permission, model, args: more, server, session, folder, env, readFile, listFolder }) => {
    const ownHome = join(env.GEMINI_CLI_HOME || env.HOME || '', '.gemini');
    const home = join(folder, '.gemini');
    const settings = settingsIn(readFile(join(ownHome, 'settings.json')));
    const linkedNames = new Set(['tmp', ...listFolder(ownHome)]);
    linkedNames.delete('settings.json');
    const { command, args } = server;
    // It holds keys back from servers, unless the server's own variables name them.
    const variables = { ...heldBack(server, (name) => `$${name}`), ...server.env };
    const agentx = { command, args, env: variables, trust: true, timeout: 900_000 };
    return {
      args: [
        ...['-o', 'stream-json', '--approval-mode', MODES[permission], '--skip-trust'],
        ...(session.isNew ? ['--session-id', session.id] : ['--resume', session.id]),
        ...(model === undefined ? [] : ['--model', model]),
        ...more,
      ],
      env: { GEMINI_CLI_HOME: folder },
      folders: [join(ownHome, 'tmp')],
      links: Object.fromEntries([...linkedNames].map((name) => [join(home, name), join(ownHome, name)])),
      files: {
        [join(home, 'settings.json')]: JSON.stringify({
          ...settings,
          mcpServers: { ...objectAt(settings, 'mcpServers'), agentx },
        }),
      },
    };
  },
  read: readEvent,
  transcript: (session, { home, env }) =>
    join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp', '*', 'chats', `session-*-${session.slice(0, 8)}.jsonl`),
};

/** Its settings may have comments. Settings that do not parse are its own to complain about. */
function settingsIn(text: string | undefined): JsonEvent {
  return eventIn((text ?? '{}').replace(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[\s\S]*?\*\//g, '$1')) ?? {};
}

function readEvent(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  switch (event.type) {
    case 'init': {
      const session = textAt(event, 'session_id');
      return session === undefined ? outcome : { ...outcome, session };
    }
    case 'message':
      return event.role === 'assistant' ? messageOf({ ...outcome, isBegun: true }, event) : outcome;
    case 'tool_use':
      return { ...withoutAnswer(outcome), isBegun: true };
    case 'tool_result':
      return toolResult(outcome, event);
    case 'error':
      return { ...outcome, trouble: textAt(event, 'message') ?? textAt(event, 'error', 'message') ?? 'an error' };
    case 'result':
      return ended(outcome, event);
    default:
      return outcome;
  }
}

/** Deltas since the last tool call are the answer. */
function messageOf(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  const text = textAt(event, 'content') ?? '';
  return { ...outcome, answer: event.delta === true ? (outcome.answer ?? '') + text : text };
}

function toolResult(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  const error = textAt(event, 'error', 'message') ?? textAt(event, 'output') ?? '';
  const isDenied =
    event.status === 'error' && /denied|not allowed|policy|requires (?:user )?(?:approval|confirmation)/i.test(error);
  return isDenied ? withDenied(outcome, error.split('\n')[0] ?? 'a tool') : outcome;
}

function ended(outcome: CliOutcome, event: JsonEvent): CliOutcome {
  const stats = valueAt(event, 'stats');
  const final = {
    ...outcome,
    isFinal: true,
    ...usageField({
      inputTokens: countAt(stats, 'input_tokens'),
      cachedTokens: countAt(stats, 'cached'),
      outputTokens: countAt(stats, 'output_tokens'),
    }),
  };
  if (event.status !== 'error') return final;
  return { ...withoutAnswer(final), error: textAt(event, 'error', 'message') ?? outcome.trouble ?? 'it failed' };
}

function withoutAnswer({ answer: _, ...outcome }: CliOutcome): CliOutcome {
  return outcome;
}
