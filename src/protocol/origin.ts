import { fnv1a64 } from './derived-id.js';

/*
 * Origins: what caused a clarification, a question, an assumption or an issue. By its origin a second process finds what
 * is there already instead of causing it again. Ids of questions are made of origins, so the spelling never changes. Only
 * this file makes origins and takes them apart.
 *
 *   run-42-1a2b3c4d/implement/2/clarify/0      an act of a step's turn; the id of a step may hold slashes
 *   run-42-1a2b3c4d/implement/2/inside/{hash}  asked by a program while the turn went on
 *   run-42-1a2b3c4d//0/budget/0                an act of the run as a whole
 *   CLR-42-001/1/0/question/0                  an act of a target: in round 1, when it had asked 0 times
 *   CLR-42-001/inside/{hash}                   asked by a program of a target while it composed its answer
 *   oq-1a2b3c4d/late/{part}                    an answer that came late; the part only where there are several
 *   question/oq-1a2b3c4d/{part}                a question that ended, in the same way
 *   ASM-42-001/rejected                        an assumption that a human rejected
 *   asked/{id}                                 asked from outside
 *
 * A mark at the end says what became of that: again, refused, notified.
 */

/** The turn of a step. Programs of the turn get it, and everything that the turn causes is named after it. */
export function turnOfStep(runId: string, step: string, turn: number): string {
  return `${runId}/${step}/${turn}`;
}

/** The turn of a target that has asked others so many times in this round. */
export function turnOfTarget({ id, round }: { readonly id: string; readonly round: number }, depth: number): string {
  return `${id}/${round}/${depth}`;
}

export type ActKind =
  | 'artifact'
  | 'asked'
  | 'assumption'
  | 'budget'
  | 'changed'
  | 'clarify'
  | 'denied'
  | 'handed'
  | 'investigation'
  | 'issue'
  | 'observation'
  | 'output'
  | 'propose'
  | 'question'
  | 'resolve'
  | 'what-next';

/** One part of a reply: its kind and its place there. */
export function actName(kind: ActKind, index: number): string {
  return `${kind}/${index}`;
}

export function originOfAct(turn: string, act: string): string {
  return `${turn}/${act}`;
}

/** A question from inside a turn: the same words in the same turn are the same question. */
export function originInTurn(turn: string, words: readonly string[]): string {
  return `${turn}/${INSIDE}/${fnv1a64(JSON.stringify(words))}`;
}

/**
 * The origin for asking an escalated record again: the same cause, so that the run that caused the first recognises the
 * second.
 */
export function againOrigin({ id, origin = id }: { readonly id: string; readonly origin?: string }): string {
  return marked(origin, 'again');
}

/** For an assumption made because a question was refused. */
export function refusedOrigin(origin: string): string {
  return marked(origin, 'refused');
}

/** For a notice that humans get instead of a question. */
export function notifiedOrigin(origin: string): string {
  return marked(origin, 'notified');
}

/** For the choice that a human has when an answer comes late. */
export function lateOrigin(questionId: string, part?: string): string {
  return withPart(`${questionId}/${LATE}`, part);
}

/** For an assumption made because a question has ended. */
export function endedOrigin(questionId: string, part?: string): string {
  return withPart(`${ENDED}/${questionId}`, part);
}

/** For the choice that a human has when an assumption is rejected. */
export function rejectedOrigin(assumptionId: string): string {
  return `${assumptionId}/${REJECTED}`;
}

/** `random` comes from the caller. */
export function outsideOrigin(random: string): string {
  return `${OUTSIDE}/${random}`;
}

/** Asked from outside by a program that may ask again, because it was interrupted: the same words are the same question. */
export function originOfWords(words: readonly string[]): string {
  return outsideOrigin(fnv1a64(JSON.stringify(words)));
}

/** The same while the target of a clarification composes its answer. */
export function originInAnswer(clarificationId: string, words: readonly string[]): string {
  return `${clarificationId}/${INSIDE}/${fnv1a64(JSON.stringify(words))}`;
}

const MARKS = ['again', 'refused', 'notified'] as const;
type Mark = (typeof MARKS)[number];

const INSIDE = 'inside';
const LATE = 'late';
const ENDED = 'question';
const REJECTED = 'rejected';
const OUTSIDE = 'asked';

export interface Act {
  readonly kind: string;
  readonly index: number;
}

interface Marked {
  readonly marks: readonly Mark[];
}

export type ParsedOrigin =
  | (Marked & {
      readonly by: 'run';
      readonly runId: string;
      readonly step?: string;
      readonly turn?: number;
      /** Absent for a question from inside the turn. */
      readonly act?: Act;
    })
  | (Marked & {
      readonly by: 'target';
      readonly clarificationId: string;
      readonly round?: number;
      readonly depth?: number;
      readonly act?: Act;
    })
  | (Marked & { readonly by: 'outside'; readonly id: string })
  | { readonly by: 'late-answer' | 'ended-question'; readonly questionId: string; readonly part?: string }
  | { readonly by: 'rejection'; readonly assumptionId: string }
  | { readonly by: 'other' };

/** Never refuses: it reads as much as it can of what other programs wrote. */
export function parseOrigin(origin = ''): ParsedOrigin {
  const [first = '', ...rest] = origin.split('/');
  const [second = '', ...others] = rest;
  if (first === ENDED) return { by: 'ended-question', questionId: second, ...partIn(others) };
  if (first.startsWith('oq-') && second === LATE) return { by: 'late-answer', questionId: first, ...partIn(others) };
  if (first.startsWith('ASM-') && second === REJECTED) return { by: 'rejection', assumptionId: first };
  const { words, marks } = withoutMarks(rest);
  if (first.startsWith('run-')) return { by: 'run', runId: first, ...ofStep(words), marks };
  if (first.startsWith('CLR-')) return { by: 'target', clarificationId: first, ...ofTarget(words), marks };
  if (first === OUTSIDE) return { by: 'outside', id: words.join('/'), marks };
  return { by: 'other' };
}

export function parseAct(name: string): Act | undefined {
  const [kind, index, ...rest] = name.split('/');
  return rest.length > 0 ? undefined : actIn(kind, index);
}

/** Whether a run, or one of its steps, caused it. */
export function isOfRun(origin: string | undefined, runId: string, step?: string): boolean {
  const cause = parseOrigin(origin);
  return cause.by === 'run' && cause.runId === runId && (step === undefined || cause.step === step);
}

/** Whether the target of this clarification caused it. */
export function isOfTarget(origin: string | undefined, clarificationId: string): boolean {
  const cause = parseOrigin(origin);
  return cause.by === 'target' && cause.clarificationId === clarificationId;
}

/** Whether one run, or the target of one clarification, caused both. */
export function isSameCause(left: string | undefined, right: string | undefined): boolean {
  const cause = parseOrigin(left);
  if (cause.by === 'run') return isOfRun(right, cause.runId);
  return cause.by === 'target' && isOfTarget(right, cause.clarificationId);
}

/** Whether it was asked from inside this turn, and not by the reply that ended it. */
export function isAskedInside(turn: string, origin = ''): boolean {
  return origin.startsWith(`${turn}/${INSIDE}/`);
}

/** Whether it asks a person to do a step. */
export function isHandedWork(origin: string | undefined): boolean {
  const cause = parseOrigin(origin);
  return cause.by === 'run' && cause.act?.kind === 'handed';
}

/** Whether it asks a person how a step goes on that cannot go on by itself. */
export function isAboutNext(origin: string | undefined): boolean {
  const cause = parseOrigin(origin);
  return cause.by === 'run' && cause.act?.kind === 'what-next';
}

function marked(origin: string, mark: Mark): string {
  return `${origin}/${mark}`;
}

function withPart(origin: string, part: string | undefined): string {
  return part === undefined ? origin : `${origin}/${part}`;
}

function partIn(words: readonly string[]): { readonly part?: string } {
  return words.length === 0 ? {} : { part: words.join('/') };
}

/** A repeated question may be repeated again, so there may be several marks. */
function withoutMarks(words: readonly string[]) {
  const isMark = (word: string): word is Mark => MARKS.some((mark) => mark === word);
  const end = words.findLastIndex((word) => !isMark(word)) + 1;
  return { words: words.slice(0, end), marks: words.slice(end).filter(isMark) };
}

/** Turn and act are read from the end, because the id of a step may contain slashes. */
function ofStep(words: readonly string[]) {
  const [turn = '', kind, index] = words.slice(-3);
  const act = kind === INSIDE ? undefined : actIn(kind, index);
  const isWhole = words.length > 3 && isCount(turn) && (kind === INSIDE || act !== undefined);
  if (!isWhole) return words[0] === undefined ? {} : { step: words[0] };
  return { step: words.slice(0, -3).join('/'), turn: Number(turn), ...(act && { act }) };
}

function ofTarget([round = '', depth = '', kind, index]: readonly string[]) {
  const act = actIn(kind, index);
  if (!isCount(round) || !isCount(depth)) return {};
  return { round: Number(round), depth: Number(depth), ...(act && { act }) };
}

function actIn(kind = '', index = ''): Act | undefined {
  return kind === '' || !isCount(index) ? undefined : { kind, index: Number(index) };
}

function isCount(word: string): boolean {
  return /^\d+$/.test(word);
}
