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

export const shortClarificationId = (text: string): ShortId => readSequenced('CLR', text, parseClarificationId);
export const shortAssumptionId = (text: string): ShortId => readSequenced('ASM', text, parseAssumptionId);

/** The beginning of a question's id, in its stored spelling. */
export function shortQuestionId(text: string): string {
  const start = text.replace(/^oq-?/i, 'oq-');
  return start === 'oq-' ? start : parseQuestionId(start);
}

const SEQUENCED = /^([A-Z]{3})(?:-(?:0*(\d{1,15})(?:(-)(\d{0,15}))?)?)?$/;

function readSequenced(prefix: string, text: string, parse: (id: string) => unknown): ShortId {
  const [, kind, issue = '', dash = '', sequence = ''] = SEQUENCED.exec(text.toUpperCase()) ?? [];
  // What begins no id is no id either; the parser says what one looks like.
  if (kind !== prefix) parse(text);
  const start = `${prefix}-${issue}${dash}`;
  const fullId = Number(sequence) > 0 ? `${start}${String(Number(sequence)).padStart(3, '0')}` : undefined;
  // CLR-42-1 is the first; CLR-42-01 may also be the beginning of the tenth.
  const isBeginning = fullId === undefined || (sequence.startsWith('0') && sequence.length < 3);
  return {
    id: fullId ?? text,
    issueNumber: dash === '' ? undefined : Number(issue),
    isMeant: (id) => id === fullId || (isBeginning && id.startsWith(`${start}${sequence}`)),
  };
}
