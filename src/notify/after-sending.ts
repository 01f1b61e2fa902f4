import type { Deliveries, Message } from '../protocol/delivery.js';

/** How a try to send ended. */
export type SendResult =
  | { readonly outcome: 'sent' }
  /** Its content is not true any more. */
  | { readonly outcome: 'dropped'; readonly error: string }
  /** Another try may succeed. */
  | (Failure & { readonly outcome: 'failed'; readonly retryAfterMs?: number })
  /** No other try would do better. */
  | (Failure & { readonly outcome: 'refused' });

interface Failure {
  readonly error: string;
  /** The places of the recipients who have not got it, among those of this try, if others have. */
  readonly left?: readonly number[];
}

/** How long to wait after each failure; after the last one a message is dead. */
const WAITS_MS = [2_000, 10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000];
const LONGEST_WAIT_MS = 6 * 60 * 60_000;

/** The record with the end of a try. Pure. */
export function afterSending(deliveries: Deliveries, message: Message, result: SendResult, now: number): Deliveries {
  const isIt = ({ id, channel, takenAt }: Message) =>
    id === message.id && channel === message.channel && takenAt === message.takenAt;
  return { ...deliveries, messages: deliveries.messages.map((one) => (isIt(one) ? ended(one, result, now) : one)) };
}

function ended(message: Message, result: SendResult, now: number): Message {
  const { error: _, nextAt: __, left: leftBefore, ...others } = message;
  const left = 'left' in result && result.left !== undefined ? placesIn(leftBefore, result.left) : leftBefore;
  const rest = left === undefined ? others : { ...others, left };
  const endedAt = new Date(now).toISOString();
  const tries = message.tries + 1;
  if (result.outcome === 'sent') return { ...others, tries, state: 'sent', endedAt };
  if (result.outcome === 'dropped') return { ...rest, state: 'dropped', endedAt, error: result.error };
  const wait = WAITS_MS[tries - 1];
  if (result.outcome === 'refused' || wait === undefined) {
    return { ...rest, tries, state: 'dead', endedAt, error: result.error };
  }
  const waitMs = Math.min(Math.max(wait, result.retryAfterMs ?? 0), LONGEST_WAIT_MS);
  return { ...rest, tries, state: 'waiting', nextAt: new Date(now + waitMs).toISOString(), error: result.error };
}

/** A try may have gone only to those who were left by the try before. */
function placesIn(leftBefore: readonly number[] | undefined, left: readonly number[]): readonly number[] {
  return leftBefore === undefined ? left : left.flatMap((place) => leftBefore[place] ?? []);
}

/** The record in which messages that a person wants sent again begin anew. Pure. */
export function revived(deliveries: Deliveries, isMeant: (message: Message) => boolean, now: number): Deliveries {
  const messages = deliveries.messages.map((message): Message => {
    if (message.state !== 'dead' || !isMeant(message)) return message;
    const { endedAt: _, ...rest } = message;
    return { ...rest, state: 'waiting', tries: 0, nextAt: new Date(now).toISOString() };
  });
  return { ...deliveries, messages };
}
