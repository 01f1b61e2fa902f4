import * as z from 'zod/mini';
import { QuestionId } from './ids.js';
import { NotifyChannel, NotifyEvent } from './notify.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/*
 * The messages that people got, and those that are still under way: `state/notify.json`. It holds no address and no
 * secret. A process takes news for a channel before it sends it, under the lock of the document, so that no two
 * processes send it.
 */

/** One event of one question. `key` distinguishes it from every other event of the question. */
export const News = z.looseObject({ questionId: QuestionId, event: NotifyEvent, key: z.string() });
export type News = Shape<typeof News>;

/**
 * `sending`: a process is sending it. `waiting`: it failed and is tried again at `nextAt`. `dead`: it is tried no more.
 * `sent`: it arrived. `dropped`: events have overtaken it, or it may not have arrived.
 */
const MessageState = z.enum(['sending', 'waiting', 'dead', 'sent', 'dropped']);

export const Message = z.looseObject({
  /** Derived from the news: a repetition has the same id. */
  id: z.string(),
  /** The key of the channel in the settings. */
  channel: z.string(),
  kind: NotifyChannel,
  news: z.array(News),
  state: MessageState,
  tries: z.int(),
  takenAt: Timestamp,
  nextAt: z.exactOptional(Timestamp),
  endedAt: z.exactOptional(Timestamp),
  /** The places of the recipients who have not got it, if others have. */
  left: z.exactOptional(z.array(z.int())),
  /** Why the last try failed, without addresses and secrets. */
  error: z.exactOptional(z.string()),
});
export type Message = Shape<typeof Message>;

export const Deliveries = z.looseObject({
  /** The first use of each channel: questions that ended before are no news there. */
  channels: z.record(z.string(), z.looseObject({ since: Timestamp })),
  /** The news that was taken for each channel, by question. */
  questions: z.record(
    z.string(),
    z.looseObject({
      told: z.record(z.string(), z.array(z.string())),
      /** When all its news was taken; the entry is removed some time later. */
      doneAt: z.exactOptional(Timestamp),
    }),
  ),
  messages: z.array(Message),
});
export type Deliveries = Shape<typeof Deliveries>;

export function noDeliveries(): Deliveries {
  return { channels: {}, questions: {}, messages: [] };
}
