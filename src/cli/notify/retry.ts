import type { CommandLine } from '../command-line.js';
import { sendNow } from './send.js';

const NOT_SENT = 1;

/** Tries at once, in this process, and says what became of it. */
export async function retry(line: CommandLine, id: string | undefined): Promise<number | undefined> {
  const { out } = line;
  const notices = await line.app().notices();
  const count = await notices.sendAgain(id);
  if (count === 0) {
    out.json({ retried: 0, undelivered: [] });
    out.say('Everything was delivered: there is nothing to send again.');
    return;
  }
  await sendNow(line, 0);
  await untilTried(line, id);
  const undeliveredMessages = (await notices.messages()).filter(({ state }) => state === 'dead' || state === 'waiting');
  out.json({ retried: count, undelivered: undeliveredMessages });
  const messages = undeliveredMessages.filter((message) => id === undefined || message.id === id);
  if (messages.length === 0) out.print(count === 1 ? 'Sent.' : `Sent all ${count}.`);
  for (const { id: name, kind, error = 'it waits for its turn' } of messages)
    out.print(`${name} (${kind}) is not sent: ${error}`);
  return messages.length === 0 ? undefined : NOT_SENT;
}

const PATIENCE_MS = 20_000;
const LOOK_MS = 250;

/** A server may have the sending in hand: it looks after a few seconds. */
async function untilTried({ app }: CommandLine, id: string | undefined): Promise<void> {
  const { clock, notices } = app();
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    const messages = (await (await notices()).messages()).filter((message) => id === undefined || message.id === id);
    const isUntried = ({ state, tries }: (typeof messages)[number]) =>
      state === 'sending' || (state === 'waiting' && tries === 0);
    if (!messages.some(isUntried)) return;
    await clock.sleep(LOOK_MS);
  }
}
