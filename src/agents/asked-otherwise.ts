import { REPLY_KEYS } from '../protocol/reply.js';
import { jsonBlocksIn } from './json-in-text.js';

/*
 * Questions in another form than JSON: a reply in YAML, TOML or XML, and a tool call that was printed instead of made.
 * They are not read, because each notation has its own ways to go wrong; but taken for text they would be lost. So they
 * are found by their shape, and the agent is told what is wanted.
 */

/** Keys of a reply. Losing one of these loses a question; other data does not use such names. */
export const ASKING: readonly string[] = [
  'clarify',
  'open_questions',
  'openQuestions',
  'needs_clarification',
  'proposes',
];

const KEYS = ASKING.join('|');
/** Tools that ask: ours, and those of other programs that models were trained on. */
const TOOLS = 'request_clarification|follow_up_clarification|ask_human|ask_user|ask_followup_question|AskUserQuestion';
/** Names of such tools that other things have, too: only with arguments, or in a tag of calls. */
const OTHERS = 'ask_user_question|ask_questions?|AskQuestions?|askQuestions?|request_user_input';
/** Numbers and names that programs put before each line, and the marks of lists, quotations and changed lines. */
const LINE = '^[ \\t]*(?:\\d+[:.|]?[ \\t]+|[\\w.-]{1,80}[ \\t]*\\|[ \\t]*)?(?:[-+>*][ \\t]*)*';
const QUOTE = '(?:\\*\\*|["\'`]|&quot;)?';
/** A list, fields or a text below the key, a list or fields beside it, or a question. */
const VALUE = [
  `(?:[|>][-+]?[ \\t]*)?(?:#.*)?\\r?\\n[ \\t+>]*(?:[-*][ \\t]|\\d+\\.[ \\t]|${QUOTE}\\w+:)`,
  '\\[\\s*[^\\]\\s]|\\{',
  '\\S.*\\?["\'`]?[ \\t]*$',
].join('|');
const YAML = new RegExp(`${LINE}${QUOTE}(${KEYS})${QUOTE}[ \\t]*:${QUOTE}[ \\t]*(?:${VALUE})`, 'm');
const TOML = new RegExp(`^[ \\t]*\\[\\[?(${KEYS})\\]\\]?[ \\t]*\\r?$|^[ \\t]*(${KEYS})[ \\t]*=[ \\t]*[[{"']`, 'm');
const HTML_QUOTE = '&(?:quot|#34|#x22);';
const ESCAPED = new RegExp(`${HTML_QUOTE}(${KEYS})${HTML_QUOTE}\\s*:`, 'i');
const NAME = '"(?:name|tool|function|tool_?name|recipient_name|action|type)"\\s*:\\s*';
/** The name of our server, as clients put it before the name of a tool. */
const SERVER = '(?:\\w{1,80}__)?';
const CALL_IN_TAGS = new RegExp(`<(?:(?:invoke|function|tool)[^<>]{0,80}?(?:\\b|>\\s*))?${SERVER}(${TOOLS})\\b`);
const CALL_IN_JSON = new RegExp(`${NAME}"[\\w./-]{0,80}?(${TOOLS})"`, 'i');
/** A tool with the name of a key takes arguments; other things may have that name. */
const CALL_WITH_ARGUMENTS = callWithArguments(`${KEYS}|${OTHERS}`);
const CALL_OF_OTHERS = callInTag(OTHERS);
const CALL = callInCode(TOOLS);
/** The form of agents that think and act in turns. */
const ACTION = new RegExp(`^Action:[ \\t]*${SERVER}(${TOOLS}|${OTHERS})\\b`, 'm');
const FIELD_MARKS = '[ \\t]*(?:[-*][ \\t]+)?\\**';
const FIELDS = new RegExp(['to', 'topic', 'question'].map((key) => `^${FIELD_MARKS}${key}\\**:.+`).join('\\s*'), 'im');

/** Tools of ours that hand in work. */
const HANDING = 'write_artifact|record_assumption|resolve_clarification';
const PRINTED_WORK = [callWithArguments(`${HANDING}|finish`), callInTag(`${HANDING}|finish`), callInCode(HANDING)];

function callWithArguments(names: string): RegExp {
  return new RegExp(`${NAME}"(?:\\w{1,80}[._-])?(${names})"\\s*,\\s*"(?:arguments|parameters|args|input)"\\s*:`);
}

function callInTag(names: string): RegExp {
  return new RegExp(`<(?:invoke|function|tool)[^<>]{0,80}?(?:\\b|>\\s*)${SERVER}(${names})\\b`);
}

function callInCode(names: string): RegExp {
  const start = `${LINE}(?:<\\|\\w+\\|>|print\\(|await |return |\\[)?(?:\\w{1,80}[._])?`;
  return new RegExp(`${start}(${names})(?:\\.call)?\\(\\s*(?:\\w{1,40}\\s*=|["'[{])`, 'm');
}

/** The same for a call that hands in work: taken for text, the work would be lost. */
export function printedWork(text: string): string | undefined {
  const [tool] = PRINTED_WORK.flatMap((form) => form.exec(text)?.[1] ?? []);
  return tool === undefined ? undefined : printed(tool);
}

function printed(tool: string): string {
  return `it prints a call of ${tool} instead of making it`;
}

/** What asks, as the beginning of a sentence; undefined if nothing does. */
export function askedOtherwise(text: string): string | undefined {
  const [call] = [CALL_IN_TAGS, CALL_OF_OTHERS, CALL_IN_JSON, CALL_WITH_ARGUMENTS, CALL, ACTION].flatMap(
    (form) => form.exec(text)?.[1] ?? [],
  );
  if (call !== undefined) return printed(call);
  const words = withoutCode(withoutJson(text));
  const match = YAML.exec(words) ?? TOML.exec(words) ?? ESCAPED.exec(words) ?? IN_CODE.exec(codeAtEnd(text));
  const [, key, other = elementIn(words)] = match ?? [];
  if (key !== undefined || other !== undefined) return `its ${key ?? other} is not JSON`;
  if (FIELDS.test(words)) return 'its question is not JSON';
  return isYamlReply(text) ? 'it is YAML, not JSON' : undefined;
}

/** XML. */
function elementIn(text: string): string | undefined {
  return ASKING.find((key) => {
    const start = new RegExp(`<${key}(?:\\s[^<>]{0,200})?>`, 'i').exec(text)?.index;
    return start !== undefined && text.toLowerCase().includes(`</${key.toLowerCase()}>`, start);
  });
}

function withoutJson(text: string): string {
  const blocks = [...jsonBlocksIn(text)].filter(({ value }) => value !== undefined);
  const starts = blocks.map(({ start }) => start);
  return [0, ...blocks.map(({ end }) => end)].map((from, index) => text.slice(from, starts[index])).join('\n');
}

const CODE = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]+)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm;
/** Languages that replies are written in; all others are code that an agent shows. */
const NOTATION = /^(?:ya?ml|toml|xml|html|diff|patch|md|markdown|te?xt|plaintext|json\w*)$/i;

/** `reply = {"clarify": [{...`: with quotes and an entry it is no declaration. */
const IN_CODE = new RegExp(`["'](${KEYS})["']\\s*:\\s*\\[\\s*[{"']`);

function codeAtEnd(text: string): string {
  const [last = ''] = [...text.matchAll(CODE)].at(-1) ?? [];
  return text.trimEnd().endsWith(last.trimEnd()) ? last : '';
}

function withoutCode(text: string): string {
  return text.replace(CODE, (block, _marks, language: string) => (NOTATION.test(language) ? block : ''));
}

const LAST_FENCE = /(?:^|\n)[ \t]*(?:`{3,}|~{3,})[ \t]*ya?ml[^\n]*\n([^`~]*)(?:`{3,}|~{3,})?$/i;
const YAML_KEY = /^([A-Za-z_]\w*):(?:\s|$)/;
/** What must not be lost as text, besides a question. */
const WORK =
  /^(?:status:\s*["']?(?:failed|continue)\b|(?:review|artifacts|resolve|assumptions|observations|issues):\s*$)/m;

/** Every key at its top level is one of a reply, and it is all that is said, or stands in a fence at the end. */
function isYamlReply(text: string): boolean {
  const yaml = LAST_FENCE.exec(text)?.[1] ?? text;
  const lines = yaml.split(/\r?\n/).filter((line) => /^[^\s#-]/.test(line));
  return WORK.test(yaml) && lines.every((line) => REPLY_KEYS.includes(YAML_KEY.exec(line)?.[1] ?? ''));
}
