import {
  type ClarificationRecord,
  type EscalationOption,
  type EscalationPositions,
  lastQuestion,
} from './clarification.js';

/* What a human reads when agents cannot settle a clarification: both positions, and the choices. */

interface Escalation {
  readonly body: string;
  readonly positions: EscalationPositions;
  readonly options: readonly EscalationOption[];
}

export interface EscalationCause {
  readonly reason: string;
  /** A follow-up after the last round: the requester's last word, although the target was not asked. */
  readonly unrouted?: string;
  /** The target is the person who reads this: asking the target again is no option. */
  readonly targetIsHuman?: boolean;
}

export function composeEscalation(record: ClarificationRecord, cause: EscalationCause): Escalation {
  const { reason, unrouted, targetIsHuman = false } = cause;
  const positions = positionsOf(record, unrouted);
  const options = optionsFor(record, positions, targetIsHuman);
  const body = [
    `Topic: ${record.topic}`,
    `Reason: ${reason}`,
    `${record.from}: ${positions.requester}`,
    `${record.to}: ${positions.target ?? '(has not answered)'}`,
    'Options:',
    ...options.map((option) => `${option.id}) ${option.label}`),
  ].join('\n');
  return { body, positions, options };
}

function positionsOf(record: ClarificationRecord, unrouted: string | undefined): EscalationPositions {
  const requester = unrouted ?? lastQuestion(record).body;
  const target = record.thread.findLast((entry) => entry.type === 'answer')?.body;
  return target === undefined ? { requester } : { requester, target };
}

function optionsFor(
  record: ClarificationRecord,
  positions: EscalationPositions,
  targetIsHuman: boolean,
): readonly EscalationOption[] {
  const assume = `Proceed on an assumption about "${record.topic}" that ${record.from} states and records`;
  if (positions.target === undefined && targetIsHuman) return [{ id: 'a', action: 'assume', label: assume }];
  if (positions.target === undefined) {
    return [
      { id: 'a', action: 'retry', label: `Ask ${record.to} again: ${positions.requester}` },
      { id: 'b', action: 'assume', label: assume },
    ];
  }
  return [
    { id: 'a', action: 'target', label: `Follow ${record.to}: ${positions.target}` },
    { id: 'b', action: 'requester', label: `Follow ${record.from}: ${positions.requester}` },
    { id: 'c', action: 'assume', label: assume },
  ];
}
