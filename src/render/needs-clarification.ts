import { BLOCKERS, evidenceLines } from '../protocol/needs-clarification.js';
import type { Question } from '../protocol/question.js';
import { plainLine } from './plain-text.js';
import { labelled, type View } from './thread.js';

/** Why a planning agent could not decide by itself, and what it tried before it asked. */
export function renderEvidence({ blocker_type = 'none', evidence }: Question, { width }: View): readonly string[] {
  if (blocker_type === 'none' && evidence === undefined) return [];
  const blocker = blocker_type === 'none' ? [] : [`  Blocker: ${BLOCKERS[blocker_type]}`];
  const evidenceText = evidenceLines(evidence ?? {}).map((line) =>
    labelled('  - ', plainLine(line.slice('- '.length)), width),
  );
  return [...blocker, ...(evidenceText.length === 0 ? [] : ['  Tried:', ...evidenceText])];
}
