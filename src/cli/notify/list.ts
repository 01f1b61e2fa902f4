import { renderChannels, renderMessages } from '../../render/notify.js';
import { listViewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';

/** The channels, and the messages that were sent last or could not be delivered. */
export async function list(line: CommandLine): Promise<undefined> {
  const { out } = line;
  const notices = await line.app().notices();
  const channels = notices.channels();
  const messages = await notices.messages();
  out.json({ channels, messages });
  if (channels.length === 0) {
    out.say('No channel reaches people: config.toml has no [[notify]] table. How to write one: agentx help notify.md');
  } else out.print(renderChannels(channels, listViewOf(line)));
  if (messages.length > 0) out.print(`\n${renderMessages(messages, listViewOf(line))}`);
  const deadCount = messages.filter(({ state }) => state === 'dead').length;
  if (deadCount > 0)
    out.note(
      `${deadCount === 1 ? '1 message was' : `${deadCount} messages were`} not delivered. Send again: agentx notify retry`,
    );
}
