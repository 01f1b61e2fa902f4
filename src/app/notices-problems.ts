import { basename, join } from 'node:path';
import type { Config } from '../protocol/config.js';
import type { Problem } from '../protocol/diagnosis.js';
import { AgentXError } from '../protocol/errors.js';
import { FROM_ENVIRONMENT } from '../protocol/notify.js';
import { layoutOf } from '../storage/files/layout.js';
import { Notices, type NoticesContext } from './notices.js';

/** Channels that cannot be used, secrets that stand in the settings, messages that were not delivered. */
export async function examineNotices(
  { root, env, base }: Omit<NoticesContext, 'state'>,
  config: Config,
): Promise<readonly Problem[]> {
  const file = `${basename(root)}/config.toml`;
  const notices = new Notices({ root, state: layoutOf(root).state, env, base });
  const obstacles = notices.channels(config).flatMap(({ channel, obstacle }, index): Problem[] => {
    // A missing approval is a problem of its own, and a server has no desktop.
    if (obstacle === undefined || channel === 'desktop' || obstacle.includes('agentx trust')) return [];
    const todo = 'Set it in the shell that starts agentx, then try: agentx notify test';
    return [{ file, reason: `the channel notify[${index}] (${channel}) cannot be used here: ${obstacle}`, todo }];
  });
  const open = config.notify.flatMap(({ secret }, index): Problem[] => {
    if (secret === undefined || FROM_ENVIRONMENT.test(secret)) return [];
    const reason = `the secret of notify[${index}] stands in the file itself`;
    return [{ file, reason, todo: 'Put it into a variable, and write: secret = "env:NAME"' }];
  });
  return [...obstacles, ...open, ...(await undelivered(root, notices))];
}

async function undelivered(root: string, notices: Notices): Promise<readonly Problem[]> {
  try {
    const deadMessages = (await notices.messages()).filter(({ state }) => state === 'dead');
    return deadMessages.map(({ id, kind, tries, error = 'no reason is known' }) => ({
      file: join(basename(root), 'state', 'notify.json'),
      reason: `a message was not delivered by ${kind}: ${id}, after ${tries === 1 ? '1 try' : `${tries} tries`}, ${error}`,
      todo: `Send it again: agentx notify retry ${id}`,
    }));
  } catch (error) {
    // A damaged file is a finding of its own.
    if (error instanceof AgentXError) return [];
    throw error;
  }
}
