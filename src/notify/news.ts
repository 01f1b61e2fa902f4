import type { News } from '../protocol/delivery.js';
import type { NotifyEvent } from '../protocol/notify.js';
import type { Question } from '../protocol/question.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { Channel } from './channel.js';
import { afterQuietHours } from './quiet-hours.js';

/*
 * Decides which news of a question a channel gets, and when. Pure: everything follows from the current question, so
 * that every process decides the same, however many have died before.
 */

/** An event that is older than this is no news. */
const STALE_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

export interface DueNews extends News {
  /** When the channel should get it; may be in the future. */
  readonly dueAt: number;
  /** It does not wait to be gathered with others. */
  readonly isUrgent: boolean;
  /** It waits for others until this moment at most. */
  readonly gatherUntil: number;
}

export interface Standing {
  /** The news of this question that the channel has got. */
  readonly told: readonly string[];
  /** When the channel was first used. */
  readonly since: number;
  readonly now: number;
}

/** The news of a question for a channel, earliest first. */
export function newsFor(question: Question, channel: Channel, standing: Standing): readonly DueNews[] {
  if (!isMeant(question, channel)) return [];
  const { now, told } = standing;
  const news =
    question.status === 'open' ? openNews(question, channel, standing) : endNews(question, channel, standing);
  // News that was due before the quiet hours, and that no process sent, also waits for their end.
  const awakeAt = afterQuietHours(now, channel);
  const earliest = awakeAt > now ? awakeAt : 0;
  return news
    .filter(({ event, key }) => channel.when.includes(event) && !told.includes(key))
    .map((one) => ({ ...one, dueAt: Math.max(afterQuietHours(one.dueAt, channel), earliest) }))
    .filter(({ dueAt, expiresAt }) => expiresAt === undefined || dueAt < expiresAt)
    .map(({ expiresAt, ...one }) => one)
    .toSorted((left, right) => left.dueAt - right.dueAt);
}

type Candidate = DueNews & { readonly expiresAt?: number };

function isMeant(question: Question, { kinds, consequence, blocking, agents }: Channel): boolean {
  return (
    (kinds === undefined || kinds.includes(question.kind)) &&
    (consequence === undefined || consequence === question.consequence) &&
    (blocking === undefined || blocking === question.blocking) &&
    (agents === undefined || agents.includes(question.askedBy.agent))
  );
}

function openNews(question: Question, channel: Channel, { told, now }: Standing): readonly Candidate[] {
  const { id: questionId, createdAt, expiresAt, snoozed } = question;
  // The clock may have been set back since.
  const created = Math.min(toEpochMs(createdAt), now);
  const expires = expiresAt === undefined ? undefined : toEpochMs(expiresAt);
  const awakeAt = snoozed === undefined ? 0 : toEpochMs(snoozed.until);
  const { within_minutes: withinMinutes } = channel;
  if (withinMinutes !== undefined && expires === undefined) return [];
  const nearAt = withinMinutes === undefined || expires === undefined ? 0 : expires - withinMinutes * MINUTE_MS;
  const earliest = Math.max(created + channel.after_minutes * MINUTE_MS, awakeAt, nearAt);
  // A quarter of the time that people have, at most.
  const gatherUntil = expires === undefined ? Number.POSITIVE_INFINITY : earliest + (expires - created) / 4;
  const isKnown = told.some((key) => key.startsWith('opened'));
  const again = isKnown && snoozed !== undefined;
  const openedNews: Candidate = {
    questionId,
    event: 'opened',
    key: again ? `opened ${snoozed.until}` : 'opened',
    dueAt: earliest,
    isUrgent: false,
    gatherUntil,
  };
  if (expires === undefined) return [openedNews];
  const reminder = Math.max(expires - channel.deadline_minutes * MINUTE_MS, earliest);
  return [
    { ...openedNews, expiresAt: expires },
    {
      questionId,
      event: 'deadline',
      key: 'deadline',
      dueAt: reminder,
      isUrgent: true,
      gatherUntil: reminder,
      expiresAt: expires,
    },
  ];
}

function endNews(question: Question, channel: Channel, { told, since, now }: Standing): readonly Candidate[] {
  const { id: questionId, outcome, resolvedAt, lateResponses = [] } = question;
  // A later rung of the ladder that got no news of a question gets none of its end.
  const isLater = channel.after_minutes > 0 || channel.within_minutes !== undefined;
  if (isLater && told.length === 0) return [];
  // If the first use of the channel is in the future, the clock was set back since.
  const isNew = (at: number) => (at >= since || since > now) && now - at < STALE_MS;
  const candidate = (event: NotifyEvent, key: string, at: string): Candidate[] => {
    const dueAt = Math.min(toEpochMs(at), now);
    return isNew(dueAt)
      ? [{ questionId, event, key, dueAt, isUrgent: false, gatherUntil: Number.POSITIVE_INFINITY }]
      : [];
  };
  const end = outcome === undefined ? undefined : END_EVENTS[outcome];
  return [
    ...(end === undefined || resolvedAt === undefined ? [] : candidate(end, end, resolvedAt)),
    ...lateResponses.flatMap(({ at }) => candidate('late', lateKey(at), at)),
  ];
}

/** Several people may answer late, each another part. */
export function lateKey(at: string): string {
  return `late ${at}`;
}

/** The end of a question that no longer matters, or that no person could see, is no news. */
const END_EVENTS: Readonly<Record<NonNullable<Question['outcome']>, NotifyEvent | undefined>> = {
  answered: 'answered',
  declined: 'answered',
  dismissed: 'answered',
  fallback_applied: 'fallback',
  superseded: undefined,
  unreachable: undefined,
};

/** Whether the news is still true: a question that has ended or is snoozed needs no reminder. */
export function isCurrent({ event }: News, question: Question | undefined, now: number): question is Question {
  if (question === undefined) return false;
  const { status, snoozed } = question;
  if (event !== 'opened' && event !== 'deadline') return status === 'resolved';
  return status === 'open' && (snoozed === undefined || toEpochMs(snoozed.until) <= now);
}
