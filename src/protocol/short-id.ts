import { parseAssumptionId, parseClarificationId, parseQuestionId } from './ids.js';

/*
 * Ids as people type them: in any case, without the zeros (`clr-42-1` is CLR-42-001), or only a beginning that no other
 * id shares. A complete number means that id, even if longer ones begin with it.
 */

/** The typed id of a clarification or an assumption. */
export interface ShortId {
  /** The full id that it stands for, else what was typed. */
  readonly id: string;
  /** The issue, if its number is complete, that is, followed by a dash. */
  readonly issueNumber: number | undefined;
  readonly isMeant: (id: string) => boolean;
}

export const shortClarificationId = (typed: string): ShortId => readSequenced('CLR', typed, parseClarificationId);
export const shortAssumptionId = (typed: string): ShortId => readSequenced('ASM', typed, parseAssumptionId);

/** The beginning of a question's id, in its stored spelling. */
export function shortQuestionId(typed: string): string {
  const start = typed.replace(/^oq-?/i, 'oq-');
  return start === 'oq-' ? start : parseQuestionId(start);
}

const SEQUENCED = /^([A-Z]{3})(?:-(?:0*(\d{1,15})(?:(-)(\d{0,15}))?)?)?$/;

function readSequenced(prefix: string, typed: string, parse: (id: string) => unknown): ShortId {
  const [, kind, issue = '', dash = '', sequence = ''] = SEQUENCED.exec(typed.toUpperCase()) ?? [];
  // What begins no id is no id either; the parser says what one looks like.
  if (kind !== prefix) parse(typed);
  const start = `${prefix}-${issue}${dash}`;
  const fullId = Number(sequence) > 0 ? `${start}${String(Number(sequence)).padStart(3, '0')}` : undefined;
  // CLR-42-1 is the first; CLR-42-01 may also be the beginning of the tenth.
  const isBeginning = fullId === undefined || (sequence.startsWith('0') && sequence.length < 3);
  return {
    id: fullId ?? typed,
    issueNumber: dash === '' ? undefined : Number(issue),
    isMeant: (id) => id === fullId || (isBeginning && id.startsWith(`${start}${sequence}`)),
  };
}
