import { readJsonPrefix } from '../protocol/json-prefix.js';
import {
  call,
  fieldsOf,
  listOf,
  parsed,
  result,
  type Said,
  said,
  stringOf,
  type TranscriptMessage,
} from './transcript-message.js';

/*
 * Session files of agent programs and exported chats, as JSON or as JSON lines. Each shape is one function, which knows
 * an entry by its fields and gives undefined for any other. Lines that are no JSON, such as one that a killed program
 * left half written, are left out.
 */

type Fields = Readonly<Record<string, unknown>>;
type Messages = readonly TranscriptMessage[];
type Shape = (entry: Fields) => Messages | undefined;

/** The messages of a text that is JSON, or undefined if it is none. */
export function readJsonTranscript(text: string): Messages | undefined {
  const trimmed = text.trim();
  const isJson = /^[[{]/.test(trimmed);
  const document = isJson ? parsed(trimmed) : undefined;
  if (document !== undefined) return entriesOf(document).flatMap(messagesOf);
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  const entries = lines
    .map((line) => (/^\s*[[{]/.test(line) ? parsed(line.trim()) : undefined))
    .filter((entry) => typeof entry === 'object' && entry !== null);
  const isMostOfText = entries.length * (isJson ? 2 : 3) > lines.length;
  const known = isMostOfText ? entries.map(knownMessagesOf).filter((messages) => messages !== undefined) : [];
  if (known.length * 2 > entries.length) return known.flat();
  // Lines of JSON in no known shape, such as those of a log, are no text either.
  return documentIn(trimmed) ?? (entries.length * 10 > lines.length * 9 ? known.flat() : undefined);
}

/** A document that was cut off, or that has text around it, if it is most of the text. */
function documentIn(text: string): Messages | undefined {
  const start = text.slice(0, LONGEST_PREFACE).search(/^[[{]/m);
  if (start < 0) return undefined;
  const { value, end } = readJsonPrefix(text.slice(start), LISTS);
  const messages = end * 2 > text.length ? entriesOf(value).flatMap(messagesOf) : [];
  return messages.length > 0 ? messages : undefined;
}

const LONGEST_PREFACE = 2000;

/** A document holds its messages in a list, under one of these names, or has a field that does. */
function entriesOf(document: unknown, depth = 0): readonly unknown[] {
  if (Array.isArray(document))
    return document.flatMap((entry) => (hasList(fieldsOf(entry)) ? entriesOf(entry) : [entry]));
  const fields = fieldsOf(document);
  const list = LISTS.map((name) => fields[name]).find(Array.isArray);
  if (list !== undefined) return list;
  const tree = Object.values(fieldsOf(fields.mapping)).map((node) => fieldsOf(node).message);
  if (tree.length > 0) return tree;
  if (depth === DEEPEST_LIST || messagesOf(document).length > 0) return [document];
  return Object.values(fields).flatMap((value) => (Array.isArray(value) ? [] : entriesOf(value, depth + 1)));
}

const DEEPEST_LIST = 3;

const LISTS = [
  'messages',
  'history',
  'chat_messages',
  'conversation',
  'conversations',
  'turns',
  'items',
  'events',
  'entries',
];

function hasList(fields: Fields): boolean {
  return (
    !('role' in fields) &&
    [...LISTS, 'mapping'].some((name) => typeof fields[name] === 'object' && fields[name] !== null)
  );
}

function messagesOf(entry: unknown): Messages {
  return knownMessagesOf(entry) ?? [];
}

/** What an entry says, which may be nothing, or undefined if no shape knows it. */
function knownMessagesOf(entry: unknown): Messages | undefined {
  const fields = fieldsOf(entry);
  for (const shape of SHAPES) {
    const messages = shape(fields);
    if (messages !== undefined) return messages;
  }
  return undefined;
}

/**
 * codex: `{type: "response_item", payload: {...}}`, and what it prints while it works: `{type: "item.completed",
 * item}`.
 */
const codex: Shape = ({ type, payload, item }) => {
  if (type === 'compacted') return said('summary', stringOf(fieldsOf(payload).message));
  if (type === 'response_item') return codexItem(fieldsOf(payload));
  if (type === 'item.completed') return codexItem(fieldsOf(item));
  const isOther = ['session_meta', 'event_msg', 'turn_context', 'token_usage_record', 'world_state', 'item.started'];
  return typeof type === 'string' && (isOther.includes(type) || type.startsWith('thread.') || type.startsWith('turn.'))
    ? []
    : undefined;
};

function codexItem(item: Fields): Messages {
  switch (item.type) {
    case 'message':
      return spoken(roleOf(item.role), item.content);
    case 'agent_message':
      return said('assistant', stringOf(item.text));
    case 'function_call':
      return call(stringOf(item.name), item.arguments);
    case 'custom_tool_call':
      return call(stringOf(item.name), item.input);
    case 'local_shell_call':
      return call('shell', item.action);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return codexOutput(item.output);
    case 'command_execution':
      return [...call('shell', item), ...result(stringOf(item.aggregated_output), failed(item.exit_code))];
    case 'file_change':
      return listOf(item.changes).flatMap((change) => call('write', { path: fieldsOf(change).path }));
    default:
      return [];
  }
}

/** The output as text, or as JSON with the exit code beside it. */
function codexOutput(output: unknown): Messages {
  const fields = fieldsOf(typeof output === 'string' ? parsed(output) : output);
  const text = textOf(fields.output ?? fields.content ?? output);
  const code = fieldsOf(fields.metadata).exit_code ?? /^(?:Process exited with code|Exit code:) (\d+)/m.exec(text)?.[1];
  return result(text, failed(code) || fields.success === false);
}

/** claude and qwen: `{type: "user" | "assistant", message: {role, content | parts}}`. */
const claude: Shape = (entry) => {
  const { type, message, isMeta, isSidechain, isCompactSummary, isVisibleInTranscriptOnly } = entry;
  // The title of a session in a list says no more than its messages.
  if (type === 'summary') return entry.leafUuid === undefined ? said('summary', stringOf(entry.summary)) : [];
  if (typeof message !== 'object' || message === null) return undefined;
  if (isMeta === true || isSidechain === true) return [];
  const { role, content, parts, toolCalls, tool_calls } = fieldsOf(message);
  const by = isCompactSummary === true || isVisibleInTranscriptOnly === true ? 'summary' : roleOf(role ?? type);
  const calls = [...listOf(toolCalls), ...listOf(tool_calls)];
  return [...spoken(by, content ?? parts), ...calls.flatMap(functionCall), ...continued(entry, calls.length > 0)];
};

/** continue keeps what a tool was asked and what it said beside the message: `{message, toolCallStates}`. */
function continued({ toolCallStates }: Fields, isToldOf: boolean): Messages {
  return listOf(toolCallStates).flatMap((state) => {
    const { toolCall, output, status } = fieldsOf(state);
    return [...(isToldOf ? [] : functionCall(toolCall)), ...result(textOf(output), status === 'errored')];
  });
}

/** copilot: `{type: "assistant.message", data: {...}}`. */
const copilot: Shape = ({ type, data }) => {
  if (typeof type !== 'string' || typeof data !== 'object' || data === null) return undefined;
  const { content, toolName, arguments: input, success, result: output, error } = fieldsOf(data);
  if (type === 'user.message') return spoken('user', content);
  if (type === 'assistant.message') return spoken('assistant', content);
  if (type === 'tool.execution_start') return call(stringOf(toolName), input);
  if (type !== 'tool.execution_complete') return [];
  return result(textOf(fieldsOf(output).content ?? output ?? error), success === false);
};

/** gemini: `{type: "user" | "gemini", content, toolCalls}`. */
const gemini: Shape = ({ type, content, toolCalls }) => {
  if (type !== 'gemini' && !(type === 'user' && content !== undefined)) return undefined;
  const calls = listOf(toolCalls).flatMap((one) => {
    const { name, args, status, resultDisplay, result: output } = fieldsOf(one);
    return [...call(stringOf(name), args), ...result(textOf(resultDisplay ?? output), status === 'error')];
  });
  return [...spoken(type === 'user' ? 'user' : 'assistant', content), ...calls];
};

/** opencode: `{info: {role}, parts}` in an export, `{type, part}` while it works. */
const opencode: Shape = ({ info, parts, part, type }) => {
  if (typeof part === 'object' && part !== null && typeof type === 'string') return spoken('assistant', [part]);
  return Array.isArray(parts) && typeof info === 'object' ? spoken(roleOf(fieldsOf(info).role), parts) : undefined;
};

/** Slack: `{type: "message", user, text}`; with a subtype it tells of joins, bots and changes. */
const slack: Shape = ({ type, subtype, user, text, ts }) => {
  if (type !== 'message' || typeof ts !== 'string' || typeof text !== 'string') return undefined;
  return subtype === undefined && typeof user === 'string' ? said('user', withoutSlackMarks(text)) : [];
};

function withoutSlackMarks(text: string): string {
  return text.replace(/<[^<>|]{1,500}\|([^<>]{1,200})>/g, '$1').replace(/:[a-z0-9_+-]{2,30}:/g, '');
}

/** Every other chat: the role or name of a speaker, and the words. */
const chat: Shape = (entry) => {
  const by =
    entry.role ??
    fieldsOf(entry.author).role ??
    entry.from ??
    entry.sender ??
    entry.speaker ??
    entry.author ??
    entry.type;
  const what = entry.content ?? entry.text ?? entry.value ?? entry.message ?? entry.body ?? entry.parts;
  if (typeof by !== 'string' || what === undefined) return undefined;
  const fields = fieldsOf(what);
  const calls = [...listOf(entry.tool_calls), ...listOf(entry.toolCalls)].flatMap(functionCall);
  return [...spoken(roleOf(by), Array.isArray(fields.parts) ? fields.parts : what), ...calls];
};

function functionCall(one: unknown): Messages {
  const { function: named = one, name } = fieldsOf(one);
  return call(stringOf(fieldsOf(named).name ?? name), fieldsOf(named).arguments ?? fieldsOf(named).args);
}

const SHAPES: readonly Shape[] = [slack, codex, copilot, gemini, opencode, claude, chat];

type Role = Said['by'] | 'tool' | 'other';

function roleOf(role: unknown): Role {
  const name = stringOf(role).toLowerCase();
  if (/^(?:user|human|you|customer|developer-user|me)$/.test(name)) return 'user';
  if (/^(?:tool|function|tool_result|tool_response|environment)$/.test(name)) return 'tool';
  if (
    /^(?:system|developer|progress|attachment|queue-operation|info|error|file-history-snapshot|thinking|reasoning)$/.test(
      name,
    )
  )
    return 'other';
  if (/^(?:summary|compaction|chat_compression)$/.test(name)) return 'summary';
  return name === '' ? 'other' : 'assistant';
}

/** Text, or a list of texts, calls and results. What a model only thought is left out. */
function spoken(by: Role, content: unknown): Messages {
  if (typeof content === 'string') return by === 'tool' ? result(content) : by === 'other' ? [] : said(by, content);
  return listOf(Array.isArray(content) ? content : [content]).flatMap((part) => partOf(by, part));
}

function partOf(by: Role, part: unknown): Messages {
  if (typeof part === 'string') return spoken(by, part);
  const fields = fieldsOf(part);
  const { type, functionCall, functionResponse, state, thought } = fields;
  if (type === 'tool_use' || type === 'tool-call')
    return call(stringOf(fields.name ?? fields.toolName), fields.input ?? fields.args);
  if (type === 'tool_result' || type === 'tool-result')
    return result(textOf(fields.content ?? fields.output ?? fields.result), fields.is_error === true);
  if (type === 'tool') {
    const { status, input, output, error } = fieldsOf(state);
    return [...call(stringOf(fields.tool), input), ...result(textOf(error ?? output), status === 'error')];
  }
  if (functionCall !== undefined) return call(stringOf(fieldsOf(functionCall).name), fieldsOf(functionCall).args);
  if (functionResponse !== undefined) return result(textOf(fieldsOf(functionResponse).response));
  if (thought === true || type === 'thinking' || type === 'reasoning') return [];
  return spoken(by, stringOf(fields.text));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  const { text, output, content, value: inner, error, message, stderr, stdout } = fieldsOf(value);
  const innerContent =
    text ?? output ?? content ?? inner ?? error ?? message ?? (stdout !== undefined ? [stdout, stderr] : undefined);
  return innerContent === undefined || innerContent === value ? '' : textOf(innerContent);
}

function failed(code: unknown): boolean {
  return code !== undefined && code !== null && Number(code) !== 0;
}
