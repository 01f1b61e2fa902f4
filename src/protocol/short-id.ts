import { parseAssumptionId, parseClarificationId, parseQuestionId } from './ids.js';

/*
 * Ids as people type them: in any case, without the zeros (`clr-42-1` is CLR-42-001), or only so much of their beginning
 * that no other id begins with it. A number that is named whole is that one, even where longer ones begin with it.
 */

/** What somebody typed for the id of a clarification or an assumption. */
export interface ShortId {
  /** The id that it spells out, else what was typed. */
  readonly id: string;
  /** The issue, where its number is complete: a dash follows. */
  readonly issueNumber: number | undefined;
  readonly isMeant: (id: string) => boolean;
}

export const shortClarificationId = (typed: string): ShortId => readSequenced('CLR', typed, parseClarificationId);
export const shortAssumptionId = (typed: string): ShortId => readSequenced('ASM', typed, parseAssumptionId);

/** The beginning of a question's id, as it is spelt. */
export function shortQuestionId(typed: string): string {
  const start = typed.replace(/^oq-?/i, 'oq-');
  return start === 'oq-' ? start : parseQuestionId(start);
}

const SEQUENCED = /^([A-Z]{3})(?:-(?:0*(\d{1,15})(?:(-)(\d{0,15}))?)?)?$/;

function readSequenced(prefix: string, typed: string, parse: (id: string) => unknown): ShortId {
  const [, kind, issue = '', dash = '', sequence = ''] = SEQUENCED.exec(typed.toUpperCase()) ?? [];
  // What is no beginning of an id is no id either, and the parser says what is one.
  if (kind !== prefix) parse(typed);
  const start = `${prefix}-${issue}${dash}`;
  const whole = Number(sequence) > 0 ? `${start}${String(Number(sequence)).padStart(3, '0')}` : undefined;
  // CLR-42-1 is the first; CLR-42-01 may also be the beginning of the tenth.
  const isBeginning = whole === undefined || (sequence.startsWith('0') && sequence.length < 3);
  return {
    id: whole ?? typed,
    issueNumber: dash === '' ? undefined : Number(issue),
    isMeant: (id) => id === whole || (isBeginning && id.startsWith(`${start}${sequence}`)),
  };
}
