import { questionsAsked } from './transcript-answers.js';

/** One thing that was said or done in a session, whatever program wrote it down. */
export type TranscriptMessage =
  | { readonly kind: 'said'; readonly by: 'user' | 'assistant' | 'summary'; readonly text: string }
  /** What a tool was asked for: a file that it changes, or a command. */
  | {
      readonly kind: 'call';
      readonly tool: string;
      readonly paths: readonly string[];
      readonly command?: string;
      /** What it asks a user, by the id under which the answer comes back. */
      readonly questions?: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'result'; readonly text: string; readonly hasFailed: boolean }
  /** What a user answered to a tool that asked: the question, and the answer behind it. */
  | { readonly kind: 'answered'; readonly text: string };

export type Said = Extract<TranscriptMessage, { kind: 'said' }>;

export function said(by: Said['by'], text: string): readonly TranscriptMessage[] {
  const spokenText = withoutInjected(withoutEscapes(text), by).trim();
  const [whole = '', named, markedTool, input = ''] = SHOWN_CALL.exec(spokenText) ?? [];
  const tool = named ?? markedTool;
  if (tool !== undefined) {
    const calls = call(tool, { command: input, path: /^[\w@./-]+/.exec(input)?.[0] });
    return input.includes('<<') ? calls : [...calls, ...said(by, spokenText.slice(whole.length))];
  }
  return spokenText === '' ? [] : [{ kind: 'said', by, text: spokenText }];
}

/** `[tool:edit] a.ts`, `[bash] make test`: a chat that shows in brackets what a tool was asked for, up to an empty line. */
const SHOWN_CALL =
  /^\[(?:(?:tool|call|action)[: ] ?([\w.-]+)|(bash|sh|shell|terminal|exec|run|python|read|view|open|search|grep|glob|ls|fetch|edit|write|create|patch|apply_patch|delete))\] ?([^\n]*)(?:\n.*\S.*)*/i;

export function result(text: string, hasFailed = false): readonly TranscriptMessage[] {
  return text.trim() === '' ? [] : [{ kind: 'result', text: withoutEscapes(text), hasFailed }];
}

/** Tools that write to files, by the names that agents give them. */
const WRITES =
  /(?<!over|un)(?:edit|write|create|replace|insert|patch|apply|update|delete|remove|rename|move|modify)(?!.*(?:director|folder|branch))/i;

export function call(tool: string, input: unknown): readonly TranscriptMessage[] {
  const fields = fieldsOf(typeof input === 'string' ? (parsed(input) ?? { input }) : input);
  const command = [fields.command, fields.cmd, fields.script].map(commandOf).find((text) => text !== undefined);
  const patch = [fields.input, fields.patch, fields.patchText, fields.diff, command].find(
    (value): value is string => typeof value === 'string' && /^\*\*\* Begin Patch|^(?:---|\+\+\+) /m.test(value),
  );
  const paths = patch === undefined ? (WRITES.test(tool) ? pathsIn(fields) : []) : pathsOfPatch(patch);
  const questions = questionsAsked(tool, fields);
  return [
    {
      kind: 'call',
      tool,
      paths,
      ...(command === undefined || patch !== undefined ? {} : { command }),
      ...(questions.size > 0 && { questions }),
    },
  ];
}

const PATH_KEYS = [
  'file_path',
  'filePath',
  'path',
  'filepath',
  'absolute_path',
  'target_file',
  'notebook_path',
  'file',
];

function pathsIn(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return PATH_KEYS.map((key) => fields[key]).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}

function pathsOfPatch(patch: string): readonly string[] {
  const matches = [...patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(\S.*?)\s*$/gm)];
  return [...new Set(matches.flatMap(([, path]) => (path === undefined || path === '/dev/null' ? [] : [path])))];
}

/** Shells get a text, or the words of a command, the last of which is often a script. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word): word is string => typeof word === 'string');
  return words.length > 2 && /sh$/.test(words[0] ?? '') ? words.at(-1) : words.join(' ');
}

const ESC = String.fromCharCode(27);
const BELL = String.fromCharCode(7);
const ESCAPES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESC}]{0,2000}(?:${BELL}|${ESC}\\\\)|[PX^_][^${ESC}]{0,2000}${ESC}\\\\|[ -/]*[0-~])`,
  'g',
);

/** Without codes for colour and cursor. */
export function withoutEscapes(text: string): string {
  return text.includes(ESC) ? text.replace(ESCAPES, '') : text;
}

/**
 * Without what programs add to messages on their own: reminders, environments, instructions. Their elements have names of several
 * words, and some stand around the words of the user.
 */
function withoutInjected(text: string, by: Said['by']): string {
  const ownText = text.replace(/^# AGENTS\.md instructions[\s\S]*$/, ' ');
  if (!ownText.includes('<')) return ownText;
  const unclosed = new Set<string>();
  let [result, from] = ['', 0];
  for (const { 0: tag, 1: name = '', index } of ownText.matchAll(ELEMENT)) {
    const isAdded = ADDED.test(name);
    if (index < from || unclosed.has(name) || (!isAdded && by !== 'user')) continue;
    const isSpoken = !isAdded && SPOKEN.test(name);
    const end = ownText.indexOf(`</${name}>`, index);
    if (end < 0 && !isAdded) {
      unclosed.add(name);
      continue;
    }
    result += `${ownText.slice(from, index)} ${isSpoken ? ownText.slice(index + tag.length, end) : ''}`;
    from = end < 0 ? ownText.length : end + name.length + 3;
  }
  return result + ownText.slice(from);
}

const ELEMENT = /<([a-z]+(?:[-_][a-z]+)+|permissions|INSTRUCTIONS)\b[^<>]{0,200}>/g;
const ADDED =
  /^(?:system-reminder|environment_context|user_instructions|permissions|command-name|command-message|command-args|local-command-stdout|ide_\w+|additional_context|INSTRUCTIONS|untrusted_context)$/;
const SPOKEN = /(?:query|question|request|message|prompt|task|feedback)$/;

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
