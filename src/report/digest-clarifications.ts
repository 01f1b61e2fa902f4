import { isDeadlock } from '../hub/wait-graph.js';
import type { ClarificationRecord, ThreadEntry } from '../protocol/clarification.js';
import type { DigestAgent, DigestDay, DigestTotals } from '../protocol/digest.js';
import { HUMAN, MEMORY } from '../protocol/ids.js';
import { dayOf, daysOf, isWithin, type Span } from '../protocol/iso-week.js';

/** The clarifications to which something happened in a span, by what happened. One may be in several of them. */
export interface Happenings {
  readonly asked: readonly ClarificationRecord[];
  readonly resolved: readonly ClarificationRecord[];
  readonly escalated: readonly ClarificationRecord[];
  readonly abandoned: readonly ClarificationRecord[];
  readonly stale: readonly ClarificationRecord[];
  readonly deadlocked: readonly ClarificationRecord[];
  readonly answers: readonly { readonly record: ClarificationRecord; readonly entry: ThreadEntry }[];
}

export function happeningsOf(records: readonly ClarificationRecord[], span: Span): Happenings {
  const during = (at: string | null | undefined) => typeof at === 'string' && isWithin(span, at);
  const escalations = ({ thread }: ClarificationRecord) =>
    thread.filter(({ type, timestamp }) => type === 'escalation' && during(timestamp));
  return {
    asked: records.filter(({ created }) => during(created)),
    resolved: records.filter(({ status, resolvedAt }) => status === 'resolved' && during(resolvedAt)),
    escalated: records.filter((record) => escalations(record).length > 0),
    abandoned: records.filter(({ abandonedAt }) => during(abandonedAt)),
    stale: records.filter((record) => expiriesOf(record).some(during)),
    deadlocked: records.filter((record) => escalations(record).some((entry) => isDeadlock(reasonOf(entry)))),
    answers: records.flatMap((record) =>
      record.thread
        .filter(({ type, timestamp }) => type === 'answer' && during(timestamp))
        .map((entry) => ({ record, entry })),
    ),
  };
}

export function totalsOf(happenings: Happenings): DigestTotals {
  return {
    clarifications: happenings.asked.length,
    resolved: happenings.resolved.length,
    escalated: happenings.escalated.length,
    abandoned: happenings.abandoned.length,
    rounds: happenings.answers.length,
    stale: happenings.stale.length,
    deadlocks: happenings.deadlocked.length,
    remembered: happenings.answers.filter(({ record, entry }) => isSaved(record, entry)).length,
  };
}

/** A follow-up rejects what memory said; after the last round it is an escalation. */
function isSaved({ thread }: ClarificationRecord, { from, round }: ThreadEntry): boolean {
  return from === MEMORY && !thread.some(({ type, round: other }) => type === 'escalation' || other > round);
}

export function clarificationRates({ asked, resolved, escalated }: Happenings) {
  const settledRecords = new Set([...resolved, ...escalated]);
  const settledAlone = resolved.filter((record) => !neededHuman(record));
  const rounds = resolved.reduce((sum, { round }) => sum + round, 0);
  return {
    averageRounds: share(rounds, resolved.length),
    autoResolution: share(settledAlone.length, settledRecords.size),
    escalation: share(escalated.length, new Set([...asked, ...escalated]).size),
  };
}

/** Null if the whole is zero. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Agents that asked or answered; the one that asked most comes first. */
export function agentsOf({ asked, escalated, answers }: Happenings): readonly DigestAgent[] {
  const counts = new Map<string, { asked: number; answered: number; escalated: number }>();
  const of = (agent: string) => {
    const count = counts.get(agent) ?? { asked: 0, answered: 0, escalated: 0 };
    counts.set(agent, count);
    return count;
  };
  for (const { from } of asked) of(from).asked++;
  for (const { from } of escalated) of(from).escalated++;
  for (const { record, entry } of answers) if (entry.from === record.to) of(record.to).answered++;
  return [...counts]
    .map(([agent, count]) => ({ agent, ...count }))
    .toSorted((a, b) => b.asked - a.asked || b.answered - a.answered || (a.agent < b.agent ? -1 : 1));
}

/** How long the target took for each answer, from the question of its round. */
export function waitsOf({ answers }: Happenings): readonly number[] {
  return answers.flatMap(({ record: { thread }, entry }) => {
    const question = thread.find(({ type, round }) => type === 'question' && round === entry.round);
    if (question === undefined || entry.from === HUMAN || entry.from === MEMORY) return [];
    return [Math.max(0, Date.parse(entry.timestamp) - Date.parse(question.timestamp))];
  });
}

export function daysWith(happenings: Happenings, span: Span): readonly DigestDay[] {
  const days = new Map(daysOf(span).map((date) => [date, { date, asked: 0, resolved: 0, escalated: 0 }]));
  const count = (at: string | null | undefined, what: 'asked' | 'resolved' | 'escalated') => {
    const day = typeof at === 'string' ? days.get(dayOf(Date.parse(at))) : undefined;
    if (day !== undefined) day[what]++;
  };
  for (const { created } of happenings.asked) count(created, 'asked');
  for (const { resolvedAt } of happenings.resolved) count(resolvedAt, 'resolved');
  for (const { thread } of happenings.escalated) {
    const during = thread.find(({ type, timestamp }) => type === 'escalation' && isWithin(span, timestamp));
    count(during?.timestamp, 'escalated');
  }
  return [...days.values()];
}

function neededHuman({ thread }: ClarificationRecord): boolean {
  return thread.some(({ type, from }) => type === 'escalation' || (type === 'answer' && from === HUMAN));
}

/** Another program may have called it stale without writing down when. */
function expiriesOf({ expiredAt, status, staleAfter }: ClarificationRecord): readonly string[] {
  return expiredAt ?? (status === 'stale' ? [staleAfter] : []);
}

function reasonOf({ reason, body }: ThreadEntry): string {
  return reason ?? /^Reason: (.*)$/m.exec(body)?.[1] ?? '';
}
