import type { CallToolResult } from '@modelcontextprotocol/server';
import type { App } from '../app/app.js';
import { systemRefusal } from '../app/system-refusal.js';
import { AgentXError, type ErrorCode } from '../protocol/errors.js';
import type { ToolAnswer } from './call.js';
import { fitted } from './shorten-result.js';

export function resultOf(answer: ToolAnswer): CallToolResult {
  const { text, data } = fitted(answer);
  return { content: [{ type: 'text', text }], structuredContent: data };
}

/** Our errors are for the model, which can do something about them; a protocol error would end its turn. */
export function refusalOf(thrown: unknown, log: App['log'] | undefined): CallToolResult {
  const error = systemRefusal(thrown) ?? thrown;
  const ownError = error instanceof AgentXError ? error : unexpected(error, log);
  const { code, message, details } = ownError;
  const next = NEXT[code];
  const text = [`${code}: ${message}`, ...(next === undefined ? [] : [`Next: ${next}`])].join('\n');
  const data = { error: { code, message, details }, ...(next !== undefined && { next }) };
  return { ...resultOf({ text, data }), isError: true };
}

/** What an agent can do now, by the code of the error. For other codes, the message says it. */
const NEXT: Partial<Readonly<Record<ErrorCode, string>>> = {
  INVALID_INPUT: 'Call again with arguments that are allowed.',
  NOT_FOUND: 'Check the number or the id. list_ready shows the issues that can be worked on.',
  MAX_ROUNDS_EXCEEDED: 'A human decides now. Look at its present state with get_question.',
  AGENT_ERROR:
    'Call again with the same arguments. If it fails again, ask_human, or decide and call record_assumption.',
  SCOPE_VIOLATION: 'Ask one of the agents that are allowed, or ask_human, or decide and call record_assumption.',
  GATE_REFUSED: 'Decide by yourself with what you found, and go on: the assumption is recorded.',
  CONFLICT: 'Look at its present state with get_question.',
  INVALID_STATE: 'Look at its present state with get_question.',
  LOCK_TIMEOUT: 'Nothing was changed. Call again with the same arguments.',
  LOCK_LOST: 'Call again with the same arguments.',
  CONFIG_ERROR: 'A human has to correct the settings. Go on with what does not depend on this, and say so in the end.',
  CORRUPT_FILE: 'A human has to run agentx doctor. Go on with what does not depend on this, and say so in the end.',
  STORE_ERROR: 'Call again later. If it fails again, go on with what does not depend on it, and say so in the end.',
};

function unexpected(error: unknown, log: App['log'] | undefined): AgentXError {
  log?.error('a tool call failed', { error });
  return new AgentXError('STORE_ERROR', 'Something went wrong here; the log in .agentx/state/logs says what.');
}
