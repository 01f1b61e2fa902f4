import { type ClarificationRecord, isActive } from '../protocol/clarification.js';
import { escalationQuestionId, parseClarificationId } from '../protocol/ids.js';
import { isBefore, toEpochMs } from '../protocol/timestamp.js';
import { plainLine } from './plain-text.js';
import { table } from './table.js';
import type { View } from './thread.js';
import { ageText, duration } from './time.js';

/** A line for each clarification, then how many of them wait for the reader. */
export function renderClarificationList(records: readonly ClarificationRecord[], view: View): string {
  const head = ['ID', 'ISSUE', 'FROM', 'TO', 'TOPIC', 'STATUS', 'ROUND', view.isRelative ? 'AGE' : 'CREATED'];
  const rows = [head, ...records.map((record) => rowOf(record, view))];
  const [first = '', ...lines] = table(rows, { flexible: head.indexOf('TOPIC'), hasHead: true, width: view.width });
  const paintedLines = lines.map((line, index) =>
    records[index]?.status === 'escalated' ? view.paint.alarming(line) : line,
  );
  return [view.paint.quiet(first), ...paintedLines, summaryOf(records, view)].join('\n');
}

function rowOf(record: ClarificationRecord, view: View): readonly string[] {
  return [
    record.id,
    `#${parseClarificationId(record.id).issueNumber}`,
    record.from,
    record.to,
    plainLine(record.topic),
    record.status,
    `${record.round}/${record.maxRounds}`,
    ageText(record.created, view),
    patienceOf(record, view),
  ];
}

/**
 * How much time the target has left, and whether it was asked again. Its time stands still while it waits for a human.
 */
function patienceOf(record: ClarificationRecord, view: View): string {
  if (view.awaiting?.has(record.id)) return 'waits for you';
  const notes = (record.retries ?? 0) > 0 && isActive(record) ? ['retried once'] : [];
  if (record.status === 'pending' || record.status === 'stale') notes.unshift(staleText(record, view));
  return notes.join(', ');
}

function staleText({ staleAfter, status }: ClarificationRecord, { now, isRelative }: View): string {
  const isLate = status === 'stale' || !isBefore(now, staleAfter);
  if (!isRelative) return `stale ${isLate ? 'since' : 'at'} ${staleAfter}`;
  const distance = toEpochMs(staleAfter) - toEpochMs(now);
  return isLate ? `stale for ${duration(-distance)}` : `stale in ${duration(distance)}`;
}

function summaryOf(records: readonly ClarificationRecord[], view: View): string {
  const active = records.filter(isActive).length;
  const closedCount = records.length - active;
  // Counted by questions in the inbox: one question may hold up a whole chain of clarifications.
  const questionIds = records.flatMap(({ id, status, round }) =>
    status === 'escalated' ? escalationQuestionId(id, round) : (view.awaiting?.get(id) ?? []),
  );
  const questionCount = new Set(questionIds).size;
  const counts = closedCount > 0 ? `${active} active, ${closedCount} closed` : `${active} active`;
  if (questionCount === 0) return counts;
  return `${counts}, ${questionCount} ${questionCount === 1 ? 'waits' : 'wait'} for you: agentx inbox`;
}
