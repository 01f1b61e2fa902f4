import type { ClarificationRecord } from '../../protocol/clarification.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';

const ENDED = {
  resolution: { verb: 'resolved', label: 'What was decided' },
  escalation: { verb: 'escalated', label: 'Why it was' },
} as const;

interface Ending {
  readonly type: keyof typeof ENDED;
  readonly message: string;
}

/** Ending a clarification twice is no error, but the first end counts, maybe the monitor's a moment ago. Shows it. */
export function noteEarlier(
  { out }: CommandLine,
  { id, thread }: ClarificationRecord,
  { type, message }: Ending,
): void {
  const entry = thread.findLast((candidate) => candidate.type === type);
  const firstText = type === 'escalation' ? entry?.reason : entry?.body;
  if (firstText === undefined || firstText === message) return;
  const { verb, label } = ENDED[type];
  out.note(`note: ${id} was ${verb} before, and what you say is not added. ${label}: ${plainLine(firstText)}`);
}
