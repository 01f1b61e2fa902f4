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

/** Doing it a second time is no error, but whoever came first, such as the monitor a moment ago, has had the word. */
export function noteEarlier(
  { out }: CommandLine,
  { id, thread }: ClarificationRecord,
  { type, message }: Ending,
): void {
  const entry = thread.findLast((candidate) => candidate.type === type);
  const said = type === 'escalation' ? entry?.reason : entry?.body;
  if (said === undefined || said === message) return;
  const { verb, label } = ENDED[type];
  out.note(`note: ${id} was ${verb} before, and what you say is not added. ${label}: ${plainLine(said)}`);
}
