import { relative } from 'node:path';
import { isQuiet } from '../../protocol/digest.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber } from '../../protocol/ids.js';
import { toEpochMs } from '../../protocol/timestamp.js';
import { renderDigest } from '../../render/digest.js';
import { plainLine } from '../../render/plain-text.js';
import type { CommandLine } from '../command-line.js';
import { notePageLink } from '../page-link.js';

export interface DigestOptions {
  readonly week?: string | undefined;
  readonly post?: string | undefined;
}

export async function digest(line: CommandLine, { week, post }: DigestOptions): Promise<undefined> {
  const { out } = line;
  const request = week === undefined ? {} : { week };
  const place = post === undefined ? undefined : placeOf(post);
  if (place !== undefined) await line.app().postDigest({ ...request, ...place });
  const { digest: counted, path, damaged } = await line.app().digest(request);
  for (const error of damaged) out.warn(error);
  out.json(counted);
  const now = toEpochMs(line.app().clock.now());
  const [isBegun, isOver] = [counted.from, counted.to].map((at) => toEpochMs(at) <= now);
  out.print(
    renderDigest(counted, { width: out.width, paint: out.paint, isOver: isOver === true, isBegun: isBegun === true }),
  );
  out.note(`\n${relative(line.cwd, path)}`);
  notePageLink(line, { view: 'digest', id: counted.week });
  if (place !== undefined) await send(line, counted.week, place);
  if (!isQuiet(counted)) return;
  const hasEarlierFigures = Object.values(counted.before.totals).some((count) => count > 0);
  out.note(
    hasEarlierFigures
      ? `The week before: agentx digest --week ${counted.before.week}`
      : 'Set agents to work: agentx ready',
  );
}

type Place = { readonly issueNumber?: number };

function placeOf(post: string): Place {
  if (post === 'discussion') return {};
  if (/^#?\d+$/.test(post)) return { issueNumber: parseIssueNumber(post.replace('#', '')) };
  const allowed = 'the number of an issue, or the word discussion';
  throw new AgentXError('INVALID_INPUT', `--post is '${plainLine(post)}'. It takes ${allowed}.`, { post });
}

async function send({ app, out }: CommandLine, week: string, { issueNumber }: Place): Promise<void> {
  const { trouble, unsent } = await app().syncGitHub();
  const unsentDigest = unsent.find(({ what, ...rest }) =>
    issueNumber === undefined
      ? what.includes(week) && rest.issueNumber === undefined
      : rest.issueNumber === issueNumber,
  );
  const why = trouble?.message ?? unsentDigest?.why;
  if (why !== undefined) {
    out.warn(new AgentXError('STORE_ERROR', `${why} It is posted with a later sync.`, { week }));
  } else if (issueNumber !== undefined) out.note(`It is a comment on #${issueNumber}.`);
  else out.note(`It is a discussion: ${(await app().digestDiscussion(week)) ?? 'on GitHub'}`);
}
