import { versionOf } from './draft-version.js';
import { AgentXError } from './errors.js';
import { countCharacters, MAX_ANSWER_CHARACTERS, MAX_QUESTIONS_PER_REPLY } from './limits.js';
import { type Draft, isExpired, type Question, type QuestionResponse } from './question.js';
import { type Timestamp, toEpochMs } from './timestamp.js';

/*
 * Notes about a question. They raise no revision: an answer to the question as it was before is still valid. Returning
 * the same question means that there is nothing to note.
 */

/** A keystroke counts for so long; then the clock goes on. */
export const TYPING_MS = 30_000;
/** All keystrokes of a question together hold its clock no longer than this. */
export const MAX_TYPING_MS = 15 * 60_000;
/** Keystrokes in quicker succession count as one. */
const SAME_KEYSTROKE_MS = 1_000;
const MAX_DRAFTS = 20;
/** How many earlier versions a draft remembers. */
const MAX_LINEAGE = 20;

export interface Keystroke {
  readonly principal: string;
  readonly at: Timestamp;
  /** The content of the fields, however unfinished; without it only the clock is held. */
  readonly responses?: readonly QuestionResponse[];
  /** The name of this state of the draft. */
  readonly version?: string;
  /**
   * The versions that it was made from. Other drafts of the person stay beside it; if this is absent, it takes the place
   * of all.
   */
  readonly replaces?: readonly string[];
}

/**
 * A person is typing an answer. The clock stands still while keystrokes keep coming: the expiry moves by the time since
 * the last one, and once by what the last one holds in advance.
 */
export function noteTyping(question: Question, keystroke: Keystroke): Question {
  const heldQuestion = holdClock(question, keystroke);
  return keystroke.responses === undefined
    ? heldQuestion
    : keepDraft(heldQuestion, { ...keystroke, responses: keystroke.responses });
}

interface Attaching extends Pick<Question, 'blocking'> {
  readonly origin: string;
  readonly agent: string;
  readonly blocksTask: boolean;
}

/** Another agent asked the same and gets the same answer. If it waits for that, the question blocks from now on. */
export function noteAttached(question: Question, { origin, agent, blocking, blocksTask }: Attaching): Question {
  const isKnown = hasOrigin(question, origin);
  const blocks = blocksTask && question.blocksTask !== true && question.status === 'open';
  if (isKnown && !blocks) return question;
  const attached = isKnown ? question.attached : [...(question.attached ?? []), { origin, agent }];
  return {
    ...question,
    blocking: question.blocking || (blocking && !isKnown),
    ...(attached && { attached }),
    ...(blocks && { blocksTask: true }),
  };
}

export function hasOrigin({ origin, attached = [] }: Question, wantedOrigin: string): boolean {
  return origin === wantedOrigin || attached.some((other) => other.origin === wantedOrigin);
}

/** An agent got the answer inside the turn in which it asked. */
export function noteHeardIn(question: Question, turn: string): Question {
  const { heard = [] } = question;
  return heard.includes(turn) ? question : { ...question, heard: [...heard, turn] };
}

/** A human keeps the assumption for a part: its late answer does not apply. */
export function noteKept(question: Question, part: string): Question {
  const { kept = [] } = question;
  return kept.includes(part) ? question : { ...question, kept: [...kept, part] };
}

/** A person wants no reminder for a while; with no time, they want them again. */
export function noteSnoozed(question: Question, snoozed: Question['snoozed']): Question {
  const { snoozed: before, ...rest } = question;
  if (snoozed === undefined) return before === undefined ? question : rest;
  return before?.until === snoozed.until ? question : { ...question, snoozed };
}

/** Everything that follows from it is done. */
export function noteSettled({ unsettled, ...question }: Question): Question {
  return question;
}

function holdClock(question: Question, { principal, at }: Keystroke): Question {
  const { expiresAt, typing } = question;
  if (question.status !== 'open' || expiresAt === undefined || isExpired(question, at)) return question;
  const sinceLast = typing === undefined ? TYPING_MS : Math.max(0, toEpochMs(at) - toEpochMs(typing.at));
  if (typing !== undefined && sinceLast < SAME_KEYSTROKE_MS) return question;
  const before = typing?.heldMs ?? 0;
  const more = Math.min(sinceLast, TYPING_MS, MAX_TYPING_MS - before);
  return {
    ...question,
    expiresAt: new Date(toEpochMs(expiresAt) + more).toISOString(),
    typing: { principal, at, heldMs: before + more },
  };
}

/**
 * Replaces the versions that it was made from. It replaces another draft of the same person only if that draft says the
 * same, because the next page repeats a save that was not acknowledged.
 */
function keepDraft(
  question: Question,
  { principal, at, responses, version, replaces }: Keystroke & Required<Pick<Keystroke, 'responses'>>,
): Question {
  requireDraft(question, responses);
  const versions = replaces === undefined ? undefined : [...replaces, version];
  const content = JSON.stringify(responses);
  const isReplaced = (draft: Draft) =>
    draft.principal === principal &&
    (versions === undefined || versions.includes(versionOf(draft)) || JSON.stringify(draft.responses) === content);
  const { drafts = [] } = question;
  const isOutrun = drafts.some(
    (draft) => version !== undefined && draft.principal === principal && draft.replaces?.includes(version),
  );
  // It was on its way while a version made from it arrived.
  if (isOutrun) return question;
  const others = drafts.filter((draft) => !isReplaced(draft));
  if (responses.length === 0) return { ...question, drafts: others };
  const before = drafts.filter(isReplaced).flatMap((draft) => [versionOf(draft), ...(draft.replaces ?? [])]);
  const lineage = [...new Set([...(replaces ?? []), ...before])].filter(
    (name) => name !== versionOf({ at, ...(version && { version }) }),
  );
  const draft: Draft = {
    principal,
    responses,
    at,
    ...(version === undefined ? {} : { version }),
    ...(lineage.length === 0 ? {} : { replaces: lineage.slice(0, MAX_LINEAGE) }),
  };
  return { ...question, drafts: [...others, draft].slice(-MAX_DRAFTS) };
}

function requireDraft({ id, questions }: Question, responses: readonly QuestionResponse[]): void {
  const problem =
    responses.length > MAX_QUESTIONS_PER_REPLY
      ? `has ${responses.length} answers`
      : responses.some(({ answer = '' }) => countCharacters(answer) > MAX_ANSWER_CHARACTERS)
        ? `has an answer of more than ${MAX_ANSWER_CHARACTERS} characters`
        : responses.some(({ questionId }) => !questions.some((part) => part.id === questionId))
          ? 'answers a part that does not exist'
          : undefined;
  if (problem === undefined) return;
  const allowed = questions.map((part) => part.id);
  throw new AgentXError(
    'INVALID_INPUT',
    `A draft for ${id} ${problem}. Allowed: one for each of ${allowed.join(', ')}.`,
    {
      questionId: id,
      allowed,
    },
  );
}
