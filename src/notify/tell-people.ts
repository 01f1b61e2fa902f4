import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Store } from '../ports/store.js';
import type { Deliveries, Message } from '../protocol/delivery.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { NotifyChannel } from '../protocol/notify.js';
import type { Question } from '../protocol/question.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { afterSending, type SendResult } from './after-sending.js';
import type { Channel } from './channel.js';
import { sendCommand } from './command.js';
import { desktopWay, sendDesktop } from './desktop.js';
import { type LetterContext, letterOf } from './letter.js';
import { isCurrent } from './news.js';
import { type ResolvedChannel, resolved, type Send, type SendPorts, unusable } from './sender.js';
import { sendSlack } from './slack.js';
import { following, type Look, take } from './take-messages.js';
import { sendWebhook } from './webhook.js';

export interface NotifyPorts extends SendPorts {
  readonly store: Pick<Store, 'questions' | 'deliveries'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly project: string;
  readonly channels: readonly Channel[];
  /** Whether the user has approved the program, address or recipients of the channel. */
  readonly isApproved: (channel: Channel) => boolean;
  /** The address of the page while a server runs. */
  readonly pageUrl: () => string | undefined;
  readonly sign: LetterContext['sign'];
}

const SENDERS: Readonly<Record<NotifyChannel, Send>> = {
  webhook: sendWebhook,
  slack: sendSlack,
  mail: async (...args) => (await import('./mail.js')).sendMail(...args),
  command: sendCommand,
  desktop: sendDesktop,
};

const NOTE_AGAIN_MS = 2_000;

/** The channels through which this process is sending. No channel waits for another, because a receiver may be slow. */
export class Sending {
  readonly #channels = new Map<string, Promise<void>>();
  readonly #ending = new AbortController();

  /** `onDone` is called whenever a channel has finished. */
  constructor(private readonly onDone: () => void) {}

  get isOver(): boolean {
    return this.#channels.size === 0;
  }

  isBusy(channel: string): boolean {
    return this.#channels.has(channel);
  }

  start(channel: string, work: () => Promise<void>): void {
    const task = work().finally(() => {
      this.#channels.delete(channel);
      this.onDone();
    });
    this.#channels.set(channel, task);
  }

  /** Aborts when the process wants to end. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  async ended(): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#channels.values());
  }
}

/**
 * Begins to send the messages that are due. The caller has the claim, so that no other process sends. Returns the time
 * of the next look, apart from the end of the sending; undefined if nothing is foreseeable.
 */
export async function tellPeople(ports: NotifyPorts, sending: Sending): Promise<number | undefined> {
  const { store } = ports;
  const isBusy = (channel: string) => sending.isBusy(channel);
  const look = { ...(await lookAround(ports, await store.deliveries.read())), isBusy };
  const { messages, nextAt } = await store.deliveries.update((deliveries) => {
    const { next, ...taken } = take(deliveries, look);
    return { next, result: taken };
  });
  for (const channel of new Set(messages.map((message) => message.channel))) {
    const own = messages.filter((message) => message.channel === channel);
    sending.start(channel, async () => {
      for (const message of own) await deliver(ports, message, sending.ending);
    });
  }
  return nextAt;
}

/**
 * The time of the next news, as far as can be seen now. Nothing is sent. Open questions are followed from now on, so
 * that people hear of their end even if no process looks before.
 */
async function foreseeNews(ports: NotifyPorts): Promise<number | undefined> {
  const deliveries = await ports.store.deliveries.read();
  const look = await lookAround(ports, deliveries);
  const isNew = look.questions.some(({ id }) => deliveries.questions[id] === undefined);
  const record = isNew ? await ports.store.deliveries.update((current) => withFollowed(current, look)) : deliveries;
  const { messages, nextAt } = take(record, look);
  return messages.length > 0 ? look.now : nextAt;
}

/** Whether news is due within this time. */
export async function isDueWithin(ports: NotifyPorts, milliseconds: number): Promise<boolean> {
  const at = await foreseeNews(ports);
  return at !== undefined && at - nowOf(ports) <= milliseconds;
}

function withFollowed(deliveries: Deliveries, look: Look) {
  const next = following(deliveries, look);
  return { next, result: next };
}

/** Sends a test message at once; it is recorded nowhere. */
export async function sendTest(ports: NotifyPorts, channel: Channel): Promise<SendResult> {
  const { project, clock, sign } = ports;
  const at = clock.now();
  const question: Question = {
    id: 'oq-test',
    projectId: project,
    issueNumber: 0,
    kind: 'open_question',
    source: 'execute',
    sourceId: '0',
    askedBy: { agent: 'agentx', chain: ['agentx'] },
    questions: [{ id: 'q1', text: 'This is a test: does this message reach you? It needs no answer.' }],
    blocking: false,
    consequence: 'reversible',
    status: 'open',
    createdAt: at,
    revision: 1,
  };
  const news = { questionId: question.id, event: 'opened', key: 'opened' } as const;
  const letter = letterOf([{ news, question }], { project, now: at, timeZone: channel.time_zone, sign });
  const id = `test.${toEpochMs(at)}`;
  const items = letter.items.map((item) => ({ ...item, id, facts: [] }));
  return SENDERS[channel.channel]({ ...letter, id, items }, resolved(channel, ports.env), ports);
}

/** Why this process cannot use a channel, as a clause; undefined if it can. */
export function obstacleTo(channel: Channel, ports: Omit<SendPorts, 'runProgram'> & Pick<NotifyPorts, 'isApproved'>) {
  if (channel.channel === 'desktop' && desktopWay(ports) === undefined)
    return 'there is neither a desktop nor a terminal';
  const problem = unusable(channel, ports.env);
  if (problem !== undefined) return problem;
  return ports.isApproved(channel) ? undefined : 'it is not approved: agentx trust';
}

async function lookAround(ports: NotifyPorts, deliveries: Deliveries): Promise<Look> {
  const { store, channels } = ports;
  const { items: open } = await store.questions.list({ status: 'open' });
  const isOpen = new Set(open.map(({ id }) => id));
  const followedEntries = Object.entries(deliveries.questions).filter(
    ([id, { doneAt }]) => doneAt === undefined && !isOpen.has(id),
  );
  const endedQuestions: Question[] = [];
  const goneIds: string[] = [];
  for (const [id] of followedEntries) {
    const { question, isDamaged } = await readQuestion(ports, id);
    if (question !== undefined) endedQuestions.push(question);
    else if (!isDamaged) goneIds.push(id);
  }
  const canUse = (channel: Channel) => obstacleTo(channel, ports) === undefined;
  return { now: nowOf(ports), channels, canUse, questions: [...open, ...endedQuestions], gone: goneIds };
}

/** A damaged file does not hold up the news of other questions; doctor reports it. */
async function readQuestion({ store, log }: NotifyPorts, id: string) {
  try {
    return { question: await store.questions.read(id), isDamaged: false };
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
    log.warn('a question cannot be told', { questionId: id, error: messageOf(error) });
    return { question: undefined, isDamaged: true };
  }
}

async function deliver(ports: NotifyPorts, message: Message, ending: AbortSignal): Promise<void> {
  const result = await attempt(ports, message).catch((error: unknown): SendResult => {
    ports.log.error('a message could not be made', { message: message.id, error: messageOf(error) });
    return { outcome: 'failed', error: 'an error of AgentX, see the log' };
  });
  const { id, kind, tries } = message;
  const fields = { message: id, channel: kind, tries: tries + 1, ...('error' in result && { error: result.error }) };
  ports.log[result.outcome === 'sent' || result.outcome === 'dropped' ? 'info' : 'warn'](
    `a message was ${result.outcome}`,
    fields,
  );
  await noteSent(ports, message, result, ending);
}

/** Meanwhile the channel is busy: a message that is not noted would be sent again at every look. */
async function noteSent(ports: NotifyPorts, message: Message, result: SendResult, ending: AbortSignal): Promise<void> {
  const { store, clock, log } = ports;
  for (;;) {
    try {
      return await store.deliveries.update((deliveries) => ({
        next: afterSending(deliveries, message, result, nowOf(ports)),
        result: undefined,
      }));
    } catch (error) {
      log.error('what was sent could not be noted', { message: message.id, error: messageOf(error) });
      if (ending.aborted) return;
      await clock.sleep(NOTE_AGAIN_MS, ending).catch(() => {});
    }
  }
}

/** Sends a message with the current questions: a question that was answered meanwhile is not announced. */
async function attempt(ports: NotifyPorts, message: Message): Promise<SendResult> {
  const channel = ports.channels.find(({ key }) => key === message.channel);
  if (channel === undefined) return { outcome: 'dropped', error: 'its channel is not in config.toml any more' };
  const items = [];
  for (const news of message.news) {
    const { question } = await readQuestion(ports, news.questionId);
    if (isCurrent(news, question, nowOf(ports))) items.push({ news, question });
  }
  if (items.length === 0)
    return { outcome: 'dropped', error: 'it was decided, snoozed or damaged before this was sent' };
  const context = {
    project: ports.project,
    now: ports.clock.now(),
    page: channel.page ?? ports.pageUrl(),
    timeZone: channel.time_zone,
    sign: ports.sign,
  };
  // The id is derived from all news of the message, even if some of it no longer matters.
  const letter = { ...letterOf(items, context), id: message.id };
  return SENDERS[channel.channel](letter, forThoseLeft(resolved(channel, ports.env), message), ports);
}

/** People who have got the message do not get it again. */
function forThoseLeft(channel: ResolvedChannel, { left }: Message): ResolvedChannel {
  const to = (channel.to ?? []).filter((_, place) => left?.includes(place));
  return to.length === 0 ? channel : { ...channel, to };
}

const nowOf = ({ clock }: Pick<NotifyPorts, 'clock'>): number => toEpochMs(clock.now());
