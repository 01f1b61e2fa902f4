import { KNOWN_AGENTS } from '../protocol/ids.js';
import { byLabel, categoryOfHeading } from './classify-labels.js';
import { call, result, type Said, said, type TranscriptMessage, withoutEscapes } from './transcript-message.js';

/*
 * Histories in plain text, in Markdown and as a terminal showed them. A line that names a speaker, or begins with the mark
 * by which a program shows one, begins a message; everything up to the next one belongs to it. Text without any speaker
 * is what an assistant said.
 */

export function readTextTranscript(text: string): readonly TranscriptMessage[] {
  const messages: TranscriptMessage[] = [];
  let by: Said['by'] | 'result' = 'assistant';
  let lines: string[] = [];
  const end = () => {
    messages.push(...(by === 'result' ? result(lines.join('\n')) : said(by, lines.join('\n'))));
    lines = [];
  };
  const textLines = plainLines(text);
  const style = styleOf(textLines);
  const speakers = speakersIn(textLines);
  const people = peopleIn(textLines);
  const comments = commentsIn(textLines);
  const areNotes = style === 'plain' && people.size > 0;
  let isShell = false;
  /** Who shows a shell within a fence: they go on after it. */
  let showing: Mark['by'] | undefined;
  let isFenced = false;
  for (const [place, line] of textLines.entries()) {
    if (FENCE.test(line)) {
      // Only an opening fence has a name: the one before it was never closed.
      isFenced = !isFenced || /\w/.test(line);
      if (!isFenced && showing !== undefined) {
        end();
        by = showing;
        showing = undefined;
        isShell = false;
        continue;
      }
    }
    const mark: Mark | undefined =
      commentAt(place, comments) ??
      markOf(line, style, speakers, isFenced) ??
      markOfPerson(line, people) ??
      (areNotes && isShell && textLines[place - 1] === '' ? markOfNote(line) : undefined);
    if (mark !== undefined) {
      end();
      if (isFenced && by !== 'result' && mark.call !== undefined) showing = by;
      isFenced &&= mark.call !== undefined;
      by = mark.by;
      isShell = mark.call !== undefined;
      if (mark.call !== undefined) messages.push(...mark.call);
      if (mark.rest !== '') lines.push(mark.rest);
      if (mark.isOneLine === true) {
        end();
        by = 'assistant';
      }
    } else lines.push(line);
  }
  end();
  return messages;
}

const FENCE = /^\s*(?:`{3,}[^`]*|~{3,}.*)$/;

/** As a reader finally saw it: without codes for colour and cursor, and without overwritten text. */
function plainLines(text: string): readonly string[] {
  return withoutEscapes(text)
    .split(/\r*\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .map((line) => (line.includes('\b') ? typedOver(line) : line).replace(CONTROLS, '').replace(FRAME, '').trimEnd());
}

/** What was deleted while typing, or printed twice to make it bold. */
function typedOver(line: string): string {
  const letters: string[] = [];
  for (const letter of line)
    if (letter === '\b') letters.pop();
    else letters.push(letter);
  return letters.join('');
}

const CONTROLS = /(?!\t)\p{Cc}/gu;
/** The lines that programs draw around text. */
const FRAME = /^\s*[\u2500-\u257f]+(?:\s|$)|(?<![\u2500-\u257f])[\u2500-\u257f]+$/g;

interface Mark {
  readonly by: Said['by'] | 'result';
  readonly rest: string;
  readonly call?: readonly TranscriptMessage[];
  /** What follows on the next line is the assistant's again. */
  readonly isOneLine?: boolean;
}

/** What `>` at the beginning of a line means: in aider's history what it did, in a terminal with these signs what was typed. */
type Style = 'aider' | 'terminal' | 'plain';

function styleOf(lines: readonly string[]): Style {
  if (lines.some((line) => line.startsWith('# aider chat started'))) return 'aider';
  return lines.some((line) => /^\s*[\u23fa\u25cf\u2726\u203a]\s/.test(line)) ? 'terminal' : 'plain';
}

const USERS =
  'user|human|you|me|prompt|developer|question|client|customer|request|you said|benutzer(?:in)?|nutzer(?:in)?|anwender(?:in)?|usuario|utilisateur';
const ASSISTANTS = `assistant|assistent(?:in)?|asistente|ki|ai|agent|bot|claude(?: code)?|chatgpt(?: said)?|gpt[\\w.-]*|copilot|gemini|codex|cursor|cline|aider|qwen|opencode|continue|model|response|answer|${KNOWN_AGENTS.join('|')}`;
const TOOLS = 'tool(?: result| output| call)?|terminal|output|command output|system|stdout|stderr|shell|console';
const NAME = `(${USERS}|${ASSISTANTS}|${TOOLS})`;
const STAMP =
  '[[(]?(?:(?:\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}),?[T ])?\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:Z| ?[ap]m)?[\\])]?';
const WHEN = `(?:${STAMP}[ \\t]*(?:-[ \\t]*)?)?`;
/** `## User`, `_**Assistant (10:12)**_`: a line of its own. `### User accounts` is the heading of a part of a message. */
const HEADING = new RegExp(
  `^\\s*(#{1,6}\\s+|[_*]{2,3})(?:\\d+\\.\\s*)?[^\\w\\n]{0,4}${WHEN}${NAME}(?:[_*]{0,3}\\s*_?[(\\[][^\\n]{0,40}|\\s+(?:#?\\d|[|\\u2013\\u2014-]\\s|(?:said|says|wrote|turn|message)\\b)[^\\n.?!]{0,40}?)?[_*:]*\\s*$`,
  'i',
);
/** `User: text`, `[10:12] **Assistant:** text`, `<user> text`. */
const PREFIX = new RegExp(
  `^\\s*${WHEN}[_*[<(]{0,3}${NAME}(?:[ \\t]?[(\\[][^)\\]\\n]{1,40}[)\\]])?[_*\\]>)]{0,3}(?:[:>]|[ \\t]>(?=[ \\t]))[_*]{0,3}(?:[ \\t]+(.*))?$`,
  'i',
);
const SET_APART = /^(?:-{3,}|={3,}) *(user|human|assistant|ai|agent|tool|system)\b.{0,20}?[-=]* *$/i;

/** `## Dana Reed`, `**Dana** (10:12)`. */
const PERSON = new RegExp(
  `^\\s*(#{1,6}\\s+|[_*]{2,3})[^\\p{L}\\d\\n]{0,4}${WHEN}(\\p{Lu}[\\p{L}.'-]{1,20}(?: \\p{Lu}[\\p{L}.'-]{1,20})?)[_*:]*(?:\\s*_?[(\\[][^\\n]{0,40})?[_*:]*\\s*$`,
  'u',
);

/* Most lines lack the signs that all of these have. */
const headingIn = (line: string) => (/^\s*[#_*]/.test(line) ? HEADING.exec(line) : null);
const personIn = (line: string) => (/^\s*[#_*]/.test(line) ? PERSON.exec(line) : null);
const prefixIn = (line: string) => (/[:>]/.test(line.slice(0, 120)) ? PREFIX.exec(line) : null);

/** How a text names those who speak. */
interface Speakers {
  /** What stands before a name that is a heading. Headings of another level belong to what a speaker says. */
  readonly level: string | undefined;
  /** Names that are only labels here: `Output: 3 rows`. */
  readonly labels: ReadonlySet<string>;
  /** Names of people that are headings. */
  readonly named: ReadonlySet<string>;
}

/** A name that is also an ordinary word speaks more than once, if others speak. */
const ORDINARY =
  /^(?:me|question|answer|request|response|client|customer|prompt|developer|model|continue|cursor|output|shell|console|stdout|stderr)$/;

function speakersIn(lines: readonly string[]): Speakers {
  const counts = new Map<string, number>();
  let level: string | undefined;
  for (const line of lines) {
    level ??= headingIn(line)?.[1]?.trim();
    const name = prefixIn(line)?.[1]?.toLowerCase();
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const hasOthers = level !== undefined || [...counts.keys()].some((name) => !ORDINARY.test(name));
  const labels = [...counts].filter(([name, count]) => hasOthers && count < 2 && ORDINARY.test(name));
  return { level, labels: new Set(labels.map(([name]) => name)), named: namedIn(lines, level) };
}

/** Where programs have headings and no user has one, a name that is a heading half as often is a person's. */
function namedIn(lines: readonly string[], level: string | undefined): ReadonlySet<string> {
  const titles = lines.flatMap((line) => {
    const [, marks = '', title = ''] = headingIn(line) ?? [];
    return marks.trim() === level ? [title] : [];
  });
  if (titles.length === 0 || titles.some((title) => speakerOf(title) === 'user')) return new Set();
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [, marks = '', name = ''] = personIn(line) ?? [];
    const isOther = marks.trim() === level && headingIn(line) === null && categoryOfHeading(name) === undefined;
    if (isOther) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= 2 && count * 2 >= titles.length).map(([name]) => name));
}

function markOf(line: string, style: Style, { level, labels, named }: Speakers, isFenced: boolean): Mark | undefined {
  const [, marks = '', title] = headingIn(line) ?? [];
  const heading = marks.trim() === level ? title : SET_APART.exec(line)?.[1];
  if (heading !== undefined) return { by: speakerOf(heading), rest: '' };
  if (named.size > 0 && named.has(personIn(line)?.[2] ?? '')) return { by: 'user', rest: '' };
  const [, name, rest = ''] = prefixIn(line) ?? [];
  // In a fence, `user: postgres` is a setting.
  if (name !== undefined && !labels.has(name.toLowerCase()) && !(isFenced && !isProse(rest)))
    return { by: speakerOf(name), rest };
  return (style === 'plain' ? undefined : quotedMark(line, style)) ?? markOfProgram(line);
}

/**
 * `**Dana:** text`, `[10:12] Dana: text`, `10:12 <dana> text`, `Dana (10:12): text`: a name that is no program's is a
 * person's, if it speaks more than once.
 */
const NAMED = new RegExp(
  `^(?:\\*\\*|(?=[[(]?\\d)|(?=\\S{2,21} ${STAMP}:))${WHEN}(?:\\*\\*|<[ @+%&~]?)?([\\p{L}][\\p{L}\\d_.-]{1,20})(?: ${STAMP})?(?:\\*\\*:|:\\*\\*|:|(?<=<[^<>]*)>)[ \\t]+(\\S.*)$`,
  'iu',
);
/** `H: text`: a name without any mark may be a label, too. So it must speak more often, and with a program. */
const NAMED_ONLY = /^(\p{Lu}\p{L}{0,14}):[ \t]+(\S.*)$/u;

function peopleIn(lines: readonly string[]): ReadonlySet<string> {
  const markedNames = namesIn(lines, NAMED, 2);
  return markedNames.size > 0 || !lines.some((line) => ASSISTANT_SPEAKS.test(line))
    ? markedNames
    : namesIn(lines, NAMED_ONLY, 3);
}

const ASSISTANT_SPEAKS = new RegExp(`^(?:${ASSISTANTS}):\\s`, 'i');

function namesIn(lines: readonly string[], pattern: RegExp, least: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [, name = '', rest = ''] = pattern.exec(line) ?? [];
    if (isProse(rest) && byLabel(`${name}: `) === undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= least).map(([name]) => name));
}

function markOfPerson(line: string, people: ReadonlySet<string>): Mark | undefined {
  if (people.size === 0) return undefined;
  const [, name = '', rest = ''] = NAMED.exec(line) ?? NAMED_ONLY.exec(line) ?? [];
  return people.has(name) ? { by: 'user', rest } : undefined;
}

/** Between people's lines, the output of a command ends where a person writes again. */
function markOfNote(line: string): Mark | undefined {
  return /^\p{L}/u.test(line) && (isProse(line) || byLabel(line) !== undefined)
    ? { by: 'assistant', rest: line }
    : undefined;
}

/** Output of programs has hardly any of the words between the words. */
function isProse(line: string): boolean {
  return line.split(/\s+/).length >= 4 && SMALL_WORD.test(line);
}

const SMALL_WORD =
  /(?:^|[\s(])(?:the|an?|is|are|was|were|to|of|in|on|for|with|and|but|or|we|i|it|that|this|not|no|so|because|by|from|at|as|have|has|had|can|can't|don't|der|die|das|und|ist|nicht|wir|ich|eine?|auf|mit|von|zu)(?=[\s,.;:!?)]|$)/i;

const TYPED = /^(?:[\w.@:~/ -]{0,60})?(?<!\d)[$%] +(\S.*)$/;
const COMMENT = /^(?:[\w.@:~/ -]{0,60}(?<!\d)[$%] +)?# +((?:\S+ +){3,}\S+)$/;

/** What a person wrote into a shell for readers: a comment at the prompt, or between an output and the next prompt. */
function commentsIn(lines: readonly string[]): ReadonlyMap<number, string> {
  const comments = new Map<number, string>();
  if (!lines.some((line) => TYPED.test(line))) return comments;
  let isBeforePrompt = true;
  for (let place = lines.length - 1; place >= 0; place--) {
    const line = lines[place] ?? '';
    const text = COMMENT.exec(line)?.[1];
    const isTyped = TYPED.test(line);
    if (text !== undefined && (isBeforePrompt || isTyped)) comments.set(place, text);
    else if (line.trim() !== '') isBeforePrompt = isTyped;
    if (isTyped) isBeforePrompt = true;
  }
  return comments;
}

function commentAt(place: number, comments: ReadonlyMap<number, string>): Mark | undefined {
  const rest = comments.get(place);
  return rest === undefined ? undefined : { by: 'user', rest, isOneLine: true };
}

function quotedMark(line: string, style: 'aider' | 'terminal'): Mark | undefined {
  const callMatch =
    /^\s*[\u2022\u25cf\u23fa\u2726] (Edited|Added|Deleted|Updated|Created|Ran|Running|Explored|Read|Searched|Listed):? ([\S]*[/.][\S]*.*|(?<=(?:Ran|Running):? ).*)$/.exec(
      line,
    );
  if (callMatch !== null) return { by: 'result', rest: '', call: shownCall(callMatch[1] ?? '', callMatch[2] ?? '') };
  const speech = style === 'terminal' ? /^\u2022 +(\S.*)$/.exec(line)?.[1] : undefined;
  if (speech !== undefined) return { by: 'assistant', rest: speech };
  const quotedText = /^\s*>(?!>) ?(.*)$/.exec(line)?.[1];
  if (quotedText === undefined) return undefined;
  if (style === 'terminal') return { by: 'user', rest: quotedText };
  const path = /^Applied edit to (\S+)/.exec(quotedText)?.[1];
  return {
    by: 'result',
    rest: quotedText,
    isOneLine: true,
    ...(path === undefined ? {} : { call: call('edit', { path }) }),
  };
}

/** aider puts `####` before what the user says; others have a sign for each. */
function markOfProgram(line: string): Mark | undefined {
  const heading = /^#### +(\S.*)$/.exec(line)?.[1];
  if (heading !== undefined) return { by: 'user', rest: heading, isOneLine: true };
  const prompt = /^[\u203a\u276f\u25b8\u25b7] +(\S.*)$/.exec(line)?.[1];
  if (prompt !== undefined) return { by: 'user', rest: prompt };
  const done =
    /^\s*[\u23fa\u25cf\u2022\u2726\u25c6\u2714\u2713\u25b6] ?([A-Z][A-Za-z_]{2,24})\((?:(.*)\)|([^)]*))\s*$/.exec(line);
  if (done !== null) return { by: 'result', rest: '', call: callOf(done[1] ?? '', done[2] ?? done[3] ?? '') };
  const shownDone = /^\s*[\u2713\u2714\u2716\u2717] +(Shell|Bash|Edit|Replace|[A-Z][a-z]+[A-Z]\w+) +(\S.*)$/.exec(line);
  if (shownDone !== null) return { by: 'result', rest: '', call: callOf(shownDone[1] ?? '', shownDone[2] ?? '') };
  const speech = /^\s*[\u23fa\u25cf\u2726\u25c6] +(\S.*)$/.exec(line)?.[1];
  if (speech !== undefined) return { by: 'assistant', rest: speech };
  const output = /^\s*[\u23bf\u2514\u21b3] *(.*)$/.exec(line)?.[1];
  if (output !== undefined) return { by: 'result', rest: output };
  const command = TYPED.exec(line)?.[1];
  return command === undefined ? undefined : { by: 'result', rest: '', call: call('shell', { command }) };
}

/** `Edited src/driver.c (+24 -3)`, `Ran make test`. */
function shownCall(verb: string, rest: string): readonly TranscriptMessage[] {
  if (verb.startsWith('R') && verb !== 'Read') return call('shell', { command: rest });
  const isChange = /^(?:Edited|Added|Deleted|Updated|Created)$/.test(verb);
  return isChange ? call('edit', { path: rest.split(' ')[0] }) : [];
}

function callOf(tool: string, input: string): readonly TranscriptMessage[] {
  return call(tool, /^(?:bash|shell|run)/i.test(tool) ? { command: input } : { path: input.split(',')[0]?.trim() });
}

const USER = new RegExp(`^(?:${USERS})$`, 'i');
const TOOL = new RegExp(`^(?:${TOOLS})$`, 'i');

function speakerOf(name: string): Mark['by'] {
  if (USER.test(name)) return 'user';
  return TOOL.test(name) ? 'result' : 'assistant';
}
