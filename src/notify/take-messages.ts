import type { Deliveries, Message, News } from '../protocol/delivery.js';
import { fnv1a64 } from '../protocol/derived-id.js';
import type { Question } from '../protocol/question.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { Channel } from './channel.js';
import { type DueNews, newsFor } from './news.js';
import { afterQuietHours } from './quiet-hours.js';

/*
 * Decides which messages are sent now. Pure; called under the lock of the record, by the one process that has the
 * claim. Taking comes before sending: before a message leaves the machine, the record has its news as told and the
 * message as `sending`. So a message that is `sending` at the beginning belonged to a process that died, and may have
 * arrived. It is sent again, and its id lets receivers drop a repetition. On the desktop an old note is worth nothing
 * and is not repeated.
 */

/** Questions in quick succession are gathered for this time at most. */
const GATHER_MS = 60_000;
/** How many ended messages, and how many undelivered ones, are kept for people who ask what was sent. */
const KEPT_MESSAGES = 100;
/** The entry of an ended question is kept for longer than its news can be due. */
const KEPT_MS = 48 * 60 * 60_000;

export interface Look {
  readonly now: number;
  readonly channels: readonly Channel[];
  /** Whether this process can use the channel: its variables are set, its programs approved. */
  readonly canUse: (channel: Channel) => boolean;
  /** Whether this process is sending through the channel: that message is left alone, and the others wait. */
  readonly isBusy?: (channel: string) => boolean;
  /** The open questions, and those of the record that are not done. */
  readonly questions: readonly Question[];
  /** The ids of questions in the record that no longer exist. */
  readonly gone: readonly string[];
}

export interface TakeResult {
  readonly next: Deliveries;
  /** The messages to send now. */
  readonly messages: readonly Message[];
  /** When to look again; undefined if nothing is foreseeable. */
  readonly nextAt: number | undefined;
}

export function take(deliveries: Deliveries, look: Look): TakeResult {
  const at = new Date(look.now).toISOString();
  const upcomingTimes: number[] = [];
  const channels = { ...deliveries.channels };
  for (const { key } of look.channels) channels[key] ??= { since: at };
  const followedQuestions = follow(deliveries, look);
  const messages = deliveries.messages.map((message) => again(message, look, upcomingTimes));
  const newMessages: Message[] = [];
  const isBusy = look.isBusy ?? (() => false);
  for (const channel of look.channels.filter((one) => look.canUse(one) && !isBusy(one.key))) {
    const since = toEpochMs(channels[channel.key]?.since ?? at);
    const { due, nextAt } = dueOn(channel, { look, followed: followedQuestions, since });
    if (nextAt !== undefined) upcomingTimes.push(nextAt);
    for (const news of due) noteTold(followedQuestions, channel.key, news);
    if (due.length > 0) newMessages.push(messageFor(channel, withoutReminders(due), at));
  }
  noteDone(followedQuestions, look, { channels, at });
  const next = {
    ...deliveries,
    channels,
    questions: Object.fromEntries(followedQuestions),
    messages: withoutOldMessages([...messages, ...newMessages]),
  };
  return {
    next: JSON.stringify(next) === JSON.stringify(deliveries) ? deliveries : next,
    messages: next.messages.filter(({ state, channel }) => state === 'sending' && !isBusy(channel)),
    nextAt: upcomingTimes.length === 0 ? undefined : Math.min(...upcomingTimes),
  };
}

/** The record with every open question and every channel, before any message is taken. Pure. */
export function following(deliveries: Deliveries, look: Look): Deliveries {
  const since = new Date(look.now).toISOString();
  const channels = Object.fromEntries(look.channels.map(({ key }) => [key, { since }]));
  return {
    ...deliveries,
    channels: { ...channels, ...deliveries.channels },
    questions: Object.fromEntries(follow(deliveries, look)),
  };
}

/** A message that is due for another try, or that a dead process had in hand. */
function again(message: Message, { now, channels, canUse, isBusy }: Look, upcomingTimes: number[]): Message {
  if (isBusy?.(message.channel)) return message;
  const { nextAt, ...rest } = message;
  if (message.state === 'sending' && message.kind === 'desktop') {
    const error = 'a process ended while it was sent';
    return { ...rest, state: 'dropped', endedAt: new Date(now).toISOString(), error };
  }
  if (message.state !== 'waiting' && message.state !== 'sending') return message;
  const channel = channels.find(({ key }) => key === message.channel);
  if (channel === undefined) {
    const error = 'its channel is not in config.toml any more';
    return { ...rest, state: 'dropped', endedAt: new Date(now).toISOString(), error };
  }
  const plannedAt = message.state === 'sending' || nextAt === undefined ? now : toEpochMs(nextAt);
  // No try is ever planned that late: the clock was set back since.
  const isFar = plannedAt > now + KEPT_MS;
  const due = afterQuietHours(isFar ? now : Math.max(plannedAt, now), channel);
  if (due <= now && canUse(channel)) return { ...rest, state: 'sending' };
  if (due > now) upcomingTimes.push(due);
  return { ...rest, state: 'waiting', nextAt: new Date(due).toISOString() };
}

type Followed = Map<string, Deliveries['questions'][string]>;

/** Every open question is followed until all its news was told. */
function follow({ questions }: Deliveries, { questions: presentQuestions, channels, now }: Look): Followed {
  const followedQuestions: Followed = new Map(
    Object.entries(questions).filter(([, { doneAt }]) => doneAt === undefined || now - toEpochMs(doneAt) < KEPT_MS),
  );
  if (channels.length === 0) return followedQuestions;
  for (const { id } of presentQuestions) if (!followedQuestions.has(id)) followedQuestions.set(id, { told: {} });
  return followedQuestions;
}

interface Looking {
  readonly look: Look;
  readonly followed: Followed;
  readonly since: number;
}

/** The news for one message now, or when to look again. */
function dueOn(channel: Channel, { look, followed, since }: Looking) {
  const { now } = look;
  const news = look.questions.flatMap((question) => {
    const entry = followed.get(question.id);
    if (entry === undefined || entry.doneAt !== undefined) return [];
    return newsFor(question, channel, { told: entry.told[channel.key] ?? [], since, now });
  });
  const due = news.filter(({ dueAt }) => dueAt <= now);
  const laterTimes = news.filter(({ dueAt }) => dueAt > now).map(({ dueAt }) => dueAt);
  const sendAt = gatheredAt(due, channel.gather_seconds * 1000);
  const times = sendAt > now && due.length > 0 ? [...laterTimes, sendAt] : laterTimes;
  const nextAt = times.length === 0 ? undefined : Math.min(...times);
  return { due: sendAt <= now ? due : [], nextAt };
}

/** When no further question seems to follow the last one, but at the latest after a minute. */
function gatheredAt(due: readonly DueNews[], gatherMs: number): number {
  if (due.length === 0) return Number.POSITIVE_INFINITY;
  if (due.some(({ isUrgent }) => isUrgent)) return 0;
  const times = due.map(({ dueAt }) => dueAt);
  const latest = Math.min(Math.min(...times) + GATHER_MS, ...due.map(({ gatherUntil }) => gatherUntil));
  return Math.min(Math.max(...times) + gatherMs, latest);
}

/** A question that is announced now shows its deadline, and needs no reminder. */
function withoutReminders(due: readonly DueNews[]): readonly DueNews[] {
  const openedIds = new Set(due.filter(({ event }) => event === 'opened').map(({ questionId }) => questionId));
  return due.filter(({ event, questionId }) => event !== 'deadline' || !openedIds.has(questionId));
}

/** The same news gives the same id, in every process. */
function messageFor({ key, channel }: Channel, due: readonly DueNews[], at: string): Message {
  const news = due.map(({ questionId, event, key: name }): News => ({ questionId, event, key: name }));
  return { id: messageId(news), channel: key, kind: channel, news, state: 'sending', tries: 0, takenAt: at };
}

export function messageId(news: readonly News[]): string {
  const names = news.map(({ questionId, key }) => `${questionId}.${key.replaceAll(/[^\w.-]/g, '-')}`);
  const [only = ''] = names;
  return names.length === 1 ? only : `digest.${fnv1a64(names.toSorted().join(' '))}`;
}

function noteTold(followedQuestions: Followed, channel: string, { questionId, key }: News): void {
  const entry = followedQuestions.get(questionId) ?? { told: {} };
  followedQuestions.set(questionId, {
    ...entry,
    told: { ...entry.told, [channel]: [...(entry.told[channel] ?? []), key] },
  });
}

/** An ended question needs no further look when no channel gets more news of it. */
function noteDone(
  followedQuestions: Followed,
  { questions, gone, channels, now }: Look,
  { channels: channelRecords, at }: { readonly channels: Deliveries['channels']; readonly at: string },
): void {
  const questionById = new Map(questions.map((question) => [question.id, question]));
  for (const [id, entry] of followedQuestions) {
    if (entry.doneAt !== undefined) continue;
    const question = questionById.get(id);
    const isOver =
      question === undefined
        ? gone.includes(id)
        : question.status !== 'open' &&
          channels.every((channel) => {
            const since = toEpochMs(channelRecords[channel.key]?.since ?? at);
            return newsFor(question, channel, { told: entry.told[channel.key] ?? [], since, now }).length === 0;
          });
    if (isOver) followedQuestions.set(id, { ...entry, doneAt: at });
  }
}

/** All messages that are under way, the newest that are undelivered, and the newest of the others. */
function withoutOldMessages(messages: readonly Message[]): readonly Message[] {
  const newest = (isMeant: (message: Message) => boolean) => messages.filter(isMeant).slice(-KEPT_MESSAGES);
  const keptMessages = new Set([
    ...messages.filter(({ state }) => state === 'waiting' || state === 'sending'),
    ...newest(({ state }) => state === 'dead'),
    ...newest(({ state }) => state === 'sent' || state === 'dropped'),
  ]);
  return messages.filter((message) => keptMessages.has(message));
}
