import * as z from 'zod/mini';
import type { ClarificationRecord } from './clarification.js';
import type { Shape } from './shape.js';

/** What a human may decide: `target` and `requester` take a side, `retry` asks again, `assume` goes on without. */
export const EscalationOption = z.looseObject({
  id: z.string(),
  action: z.enum(['target', 'requester', 'retry', 'assume']),
  label: z.string(),
});
export type EscalationOption = Shape<typeof EscalationOption>;

/** Each side's last word; the target has none while nothing was answered. */
export const EscalationPositions = z.looseObject({ requester: z.string(), target: z.exactOptional(z.string()) });
export type EscalationPositions = Shape<typeof EscalationPositions>;

export interface Escalation {
  readonly body: string;
  readonly positions: EscalationPositions;
  readonly options: readonly EscalationOption[];
}

export interface EscalationCause {
  readonly reason: string;
  /** A follow-up that came after the last round: it is the requester's last word though nobody was asked. */
  readonly unrouted?: string;
  /** The target is the person who reads this: there is nobody else to ask again. */
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
  const requester = unrouted ?? record.thread.findLast((entry) => entry.type === 'question')?.body ?? record.topic;
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
