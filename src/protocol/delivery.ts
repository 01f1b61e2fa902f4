import * as z from 'zod/mini';
import { QuestionId } from './ids.js';
import { NotifyChannel, NotifyEvent } from './notify.js';
import type { Shape } from './shape.js';
import { Timestamp } from './timestamp.js';

/*
 * What people were told, and what is still on its way: `state/notify.json`. It holds no address and no secret. News is
 * taken for a channel before it is sent, under the lock of the document, so that no two processes send it.
 */

/** One event of one question. `key` distinguishes it from every other event of the question. */
export const News = z.looseObject({ questionId: QuestionId, event: NotifyEvent, key: z.string() });
export type News = Shape<typeof News>;

/**
 * `sending`: a process has it in hand. `waiting`: it failed and is tried again at `nextAt`. `dead`: it is tried no more.
 * `sent`: it arrived. `dropped`: it was overtaken by what happened, or it is unknown whether it arrived.
 */
const MessageState = z.enum(['sending', 'waiting', 'dead', 'sent', 'dropped']);

export const Message = z.looseObject({
  /** Derived from the news: a repetition has the same one. */
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
  /** Why the last try failed, without addresses and secrets. */
  error: z.exactOptional(z.string()),
});
export type Message = Shape<typeof Message>;

export const Deliveries = z.looseObject({
  /** What ended before a channel was first used is no news there. */
  channels: z.record(z.string(), z.looseObject({ since: Timestamp })),
  /** What was taken for each channel, by question. */
  questions: z.record(
    z.string(),
    z.looseObject({
      told: z.record(z.string(), z.array(z.string())),
      /** All news of it was taken; it is forgotten some time later. */
      doneAt: z.exactOptional(Timestamp),
    }),
  ),
  messages: z.array(Message),
});
export type Deliveries = Shape<typeof Deliveries>;

export function noDeliveries(): Deliveries {
  return { channels: {}, questions: {}, messages: [] };
}
