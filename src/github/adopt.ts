import { fnv1a64 } from '../protocol/derived-id.js';
import type { GitHubMirror, PostedComment } from '../protocol/github.js';
import type { GitHubClient } from './client.js';
import { readName } from './comment-name.js';
import type { SyncPorts } from './ports.js';

/* Comments of ours of which it is not known whether GitHub has them: a process died, or the connection did. */

function uncertainNames({ posted }: GitHubMirror): ReadonlySet<string> {
  return new Set(posted.filter(({ id, refused }) => id === undefined && refused === undefined).map(({ name }) => name));
}

/** Those of the names that GitHub has. */
export async function findComments(
  { mirror }: Pick<SyncPorts, 'mirror'>,
  client: GitHubClient,
  { issueNumber, names }: { readonly issueNumber: number; readonly names: ReadonlySet<string> },
): Promise<ReadonlyMap<string, PostedComment>> {
  const found = new Map<string, PostedComment>();
  const login = (await mirror.sync.read())?.login;
  for (const { id, url, created, body, login: author } of await client.commentsOf(issueNumber)) {
    const name = readName(body)?.name;
    // Another person may have copied it.
    if (name === undefined || !names.has(name) || found.has(name) || author !== (login ?? author)) continue;
    found.set(name, { name, id, url, at: created, hash: fnv1a64(body) });
  }
  return found;
}

/** Before people's comments are read as answers: they may answer what was posted by a process that died. */
export async function adoptComments(ports: SyncPorts, mirror: GitHubMirror): Promise<GitHubMirror> {
  const { issueNumber } = mirror;
  const names = uncertainNames(mirror);
  if (names.size === 0) return mirror;
  const found = await findComments(ports, await ports.client(), { issueNumber, names });
  if (found.size === 0) return mirror;
  return ports.mirror.issue(issueNumber).update((current = mirror) => {
    const next = { ...current, posted: current.posted.map((one) => found.get(one.name) ?? one) };
    return { next, result: next };
  });
}
