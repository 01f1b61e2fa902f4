import type { CommandLine } from '../command-line.js';

/** Gathering and the first tries fit in; later ones are left to the next command or server. */
const STAY_MS = 75_000;
/** The process ends after this time, even if there is more to send. */
const LONGEST_MS = 10 * 60_000;

export async function send(line: CommandLine): Promise<undefined> {
  await sendNow(line, STAY_MS);
}

/** Sends what is due, and ends when nothing is to be done within the given time. */
export async function sendNow({ app }: CommandLine, untilIdleForMs: number): Promise<void> {
  const notices = await app().notices();
  await notices.keepTelling({ signal: AbortSignal.timeout(LONGEST_MS), untilIdleForMs });
}
