import { relative } from 'node:path';
import { isQuiet } from '../../protocol/digest.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { renderDigest } from '../../render/digest.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

export interface DigestOptions {
  readonly week?: string | undefined;
  readonly post?: string | undefined;
}

export async function digest(line: CommandLine, { week, post }: DigestOptions): Promise<undefined> {
  const { out } = line;
  const request = week === undefined ? {} : { week };
  if (post !== undefined) await line.app().postDigest({ ...request, issueNumber: parseIssueNumber(post) });
  const { digest: counted, path, damaged } = await line.app().digest(request);
  for (const error of damaged) out.warn(error);
  out.json(counted);
  const isOver = toEpochMs(counted.to) <= toEpochMs(line.app().clock.now());
  out.print(renderDigest(counted, { width: out.width, paint: out.paint, isOver }));
  out.note(`\n${relative(line.cwd, path)}`);
  notePageLink(line, { view: 'digest', id: counted.week });
  if (post !== undefined) await send(line, parseIssueNumber(post));
  if (!isQuiet(counted)) return;
  const before = Object.values(counted.before.totals).some((count) => count > 0);
  out.note(
    before ? `The week before: agentx digest --week ${counted.before.week}` : 'Set agents to work: agentx ready',
  );
}

async function send({ app, out }: CommandLine, issueNumber: number): Promise<void> {
  const { trouble } = await app().syncGitHub();
  if (trouble === undefined) out.note(`It is a comment on #${issueNumber}.`);
  else out.warn(new AgentXError('STORE_ERROR', `${trouble.message} It is posted with the next sync.`, { issueNumber }));
}
