import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import { parseAgentName } from '../protocol/ids.js';

interface Said {
  readonly type: ThreadEntry['type'];
  readonly by: string;
  readonly body: string;
  /** Without it, the present one. */
  readonly round?: number | undefined;
}

/** Whether somebody has said exactly this: doing the same twice is no error, and changes nothing. */
export function hasSaid(record: ClarificationRecord, { type, by, body, round = record.round }: Said): boolean {
  const from = parseAgentName(by);
  return record.thread.some(
    (entry) => entry.type === type && entry.round === round && entry.from === from && entry.body === body,
  );
}
