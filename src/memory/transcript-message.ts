/** One thing that was said or done in a session, whatever program wrote it down. */
export type TranscriptMessage =
  | { readonly kind: 'said'; readonly by: 'user' | 'assistant' | 'summary'; readonly text: string }
  /** What a tool was asked for: a file that it changes, or a command. */
  | { readonly kind: 'call'; readonly tool: string; readonly paths: readonly string[]; readonly command?: string }
  | { readonly kind: 'result'; readonly text: string; readonly hasFailed: boolean };

export type Said = Extract<TranscriptMessage, { kind: 'said' }>;

export function said(by: Said['by'], text: string): readonly TranscriptMessage[] {
  const clean = withoutInjected(text).trim();
  const [whole = '', named, marked, input = ''] = SHOWN_CALL.exec(clean) ?? [];
  const tool = named ?? marked;
  if (tool !== undefined) {
    const called = call(tool, { command: input, path: /^[\w@./-]+/.exec(input)?.[0] });
    return input.includes('<<') ? called : [...called, ...said(by, clean.slice(whole.length))];
  }
  return clean === '' ? [] : [{ kind: 'said', by, text: clean }];
}

/** `[tool:edit] a.ts`, `[bash] make test`: a chat that shows in brackets what a tool was asked for, up to an empty line. */
const SHOWN_CALL =
  /^\[(?:(?:tool|call|action)[: ] ?([\w.-]+)|(bash|sh|shell|terminal|exec|run|python|read|view|open|search|grep|glob|ls|fetch|edit|write|create|patch|apply_patch|delete))\] ?([^\n]*)(?:\n.*\S.*)*/i;

export function result(text: string, hasFailed = false): readonly TranscriptMessage[] {
  return text.trim() === '' ? [] : [{ kind: 'result', text, hasFailed }];
}

/** Tools that write to files, by the names that agents give them. */
const WRITES =
  /^(?:.*[_.-])?(?:edit|multi_?edit|notebook_?edit|write|write_?to_?file|write_?file|create|create_?file|edit_?file|edit_?existing_?file|single_find_and_replace|replace|replace_?in_?file|str_replace\w*|insert|apply_?patch|apply_?diff|patch|update|update_?file|delete_?file|rename|move_?file)$/i;

export function call(tool: string, input: unknown): readonly TranscriptMessage[] {
  const fields = fieldsOf(typeof input === 'string' ? (parsed(input) ?? { input }) : input);
  const command = [fields.command, fields.cmd, fields.script].map(commandOf).find((text) => text !== undefined);
  const patch = [fields.input, fields.patch, fields.patchText, fields.diff, command].find(
    (value): value is string => typeof value === 'string' && /^\*\*\* Begin Patch|^(?:---|\+\+\+) /m.test(value),
  );
  const paths = patch === undefined ? (WRITES.test(tool) ? pathsIn(fields) : []) : pathsOfPatch(patch);
  return [{ kind: 'call', tool, paths, ...(command === undefined || patch !== undefined ? {} : { command }) }];
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
  const named = [...patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(\S.*?)\s*$/gm)];
  return [...new Set(named.flatMap(([, path]) => (path === undefined || path === '/dev/null' ? [] : [path])))];
}

/** Shells get a text, or the words of a command, the last of which is often a script. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word): word is string => typeof word === 'string');
  return words.length > 2 && /sh$/.test(words[0] ?? '') ? words.at(-1) : words.join(' ');
}

/** What programs add to messages on their own: reminders, environments, instructions. */
function withoutInjected(text: string): string {
  return text
    .replace(
      /<(system-reminder|environment_context|user_instructions|permissions|command-name|command-message|command-args|local-command-stdout|ide_\w+|additional_context|INSTRUCTIONS|untrusted_context)\b[^>]{0,200}>[\s\S]*?<\/\1>/g,
      ' ',
    )
    .replace(/^# AGENTS\.md instructions[\s\S]*$/, ' ');
}

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
