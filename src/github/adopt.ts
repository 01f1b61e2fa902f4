import { fnv1a64 } from '../protocol/derived-id.js';
import type { GitHubMirror, PostedComment } from '../protocol/github.js';
import type { GitHubClient } from './client.js';
import { readName } from './comment-name.js';
import { planOf } from './desired.js';
import type { SyncPorts } from './ports.js';
import { recordsOf } from './records.js';

/* Comments of ours of which it is not known whether GitHub has them: a process died, or the connection did. */

/** Those of the names that GitHub has. */
export async function findComments(
  { mirror }: Pick<SyncPorts, 'mirror'>,
  client: GitHubClient,
  { issueNumber, names }: { readonly issueNumber: number; readonly names: ReadonlySet<string> },
): Promise<ReadonlyMap<string, PostedComment>> {
  const found = new Map<string, PostedComment>();
  const login = (await mirror.sync.read())?.login;
  for (const { id, url, created, body, login: author } of await client.commentsOf(issueNumber)) {
    const { name, kind } = readName(body) ?? {};
    if (name === undefined || !names.has(name) || found.has(name)) continue;
    // Another person may have copied it. A reply is the same from every machine, under any name.
    if (kind !== 'reply' && author !== (login ?? author)) continue;
    found.set(name, { name, id, url, at: created, hash: fnv1a64(body) });
  }
  return found;
}

/** The mirror with comments that came or changed. */
export function withPosted(mirror: GitHubMirror, sent: ReadonlyMap<string, PostedComment>): GitHubMirror {
  const known = new Set(mirror.posted.map(({ name }) => name));
  const added = [...sent.values()].filter(({ name }) => !known.has(name));
  return { ...mirror, posted: [...mirror.posted.map((one) => sent.get(one.name) ?? one), ...added] };
}

/** Before people's comments are read as answers: they may answer what was posted by a process that died. */
export async function adoptComments(ports: SyncPorts, mirror: GitHubMirror): Promise<GitHubMirror> {
  const { issueNumber } = mirror;
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined) return mirror;
  const { posts } = planOf(await recordsOf(ports, issue), ports.audience);
  const names = new Set(posts.map(({ name }) => name));
  const found = await findComments(ports, await ports.client(), { issueNumber, names });
  if (found.size === 0) return mirror;
  return ports.mirror.issue(issueNumber).update((current = mirror) => {
    const next = withPosted(current, found);
    return { next, result: next };
  });
}
