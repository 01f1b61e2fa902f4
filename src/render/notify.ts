import type { Message } from '../protocol/delivery.js';
import { plainLine } from './plain-text.js';
import { table } from './table.js';
import type { View } from './thread.js';
import { countdownText, whenText } from './time.js';

interface ShownChannel {
  readonly channel: string;
  readonly afterMinutes: number;
  readonly obstacle?: string;
}

/** The ladder: a line for each channel, in the order of the settings. */
export function renderChannels(channels: readonly ShownChannel[], view: View): string {
  const rows = channels.map(({ channel, afterMinutes, obstacle }) => [
    channel,
    afterMinutes === 0 ? 'at once' : `after ${afterMinutes} min`,
    obstacle === undefined ? 'ready' : `cannot be used here: ${plainLine(obstacle)}`,
  ]);
  return table(rows, { flexible: 2, width: view.width }).join('\n');
}

/** The newest last. */
export function renderMessages(messages: readonly Message[], view: View): string {
  const rows = messages.map((message) => [
    message.id,
    message.kind,
    stateOf(message, view),
    plainLine(message.error ?? ''),
  ]);
  return table(rows, { flexible: 3, width: view.width }).join('\n');
}

function stateOf({ state, tries, nextAt, endedAt, takenAt }: Message, view: View): string {
  switch (state) {
    case 'waiting':
      return `try ${tries + 1} ${nextAt === undefined ? 'soon' : countdownText(nextAt, view)}`;
    case 'sending':
      return 'is being sent';
    case 'dead':
      return `not delivered after ${tries === 1 ? '1 try' : `${tries} tries`}`;
    case 'dropped':
      return `dropped ${whenText(endedAt ?? takenAt, view)}`;
    case 'sent':
      return `sent ${whenText(endedAt ?? takenAt, view)}`;
  }
}
