import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';

const NOT_SENT = 1;

export async function test({ app, out }: CommandLine): Promise<number | undefined> {
  const results = await (await app().notices()).test();
  out.json({ results });
  if (results.length === 0) {
    out.say('No channel to test: config.toml has no [[notify]] table. How to write one: agentx help notify.md');
    return;
  }
  for (const { channel, isSent, error = '' } of results) {
    out.print(
      isSent
        ? `${out.paint.good('sent')}      ${channel}`
        : `${out.paint.alarming('not sent')}  ${channel}: ${plainLine(error)}`,
    );
  }
  return results.every(({ isSent }) => isSent) ? undefined : NOT_SENT;
}
