import { fnv1a64 } from '../protocol/derived-id.js';
import type { GitHubMirror, PostedComment } from '../protocol/github.js';
import type { GitHubClient } from './client.js';
import { readName } from './comment-name.js';
import { planOf } from './desired-state.js';
import type { SyncPorts } from './ports.js';
import { recordsOf } from './records.js';

/* Finds out which comments of ours GitHub has, after a process or the connection died while they were sent. */

export interface FoundComments {
  readonly posted: ReadonlyMap<string, PostedComment>;
  /** Replies of ours to be removed, because another machine gave the same reply a moment before. */
  readonly surplus: readonly number[];
}

/** The comments with these names that GitHub has. */
export async function findComments(
  { mirror }: Pick<SyncPorts, 'mirror'>,
  client: GitHubClient,
  {
    issueNumber,
    names,
    login: ownLogin,
  }: { readonly issueNumber: number; readonly names: ReadonlySet<string>; readonly login?: string | undefined },
): Promise<FoundComments> {
  const postedByName = new Map<string, PostedComment>();
  const surplus: number[] = [];
  const login = ownLogin ?? (await mirror.sync.read())?.login;
  for (const { id, url, created, body, login: author } of await client.commentsOf(issueNumber)) {
    const { name, kind } = readName(body) ?? {};
    if (name === undefined || !names.has(name)) continue;
    const isReply = kind === 'reply';
    if (postedByName.has(name)) {
      if (isReply && author === login) surplus.push(id);
      continue;
    }
    // Another person may have copied the comment. A reply is the same from every machine, under any account.
    if (!isReply && author !== (login ?? author)) continue;
    postedByName.set(name, { name, id, url, at: created, hash: fnv1a64(body) });
  }
  return { posted: postedByName, surplus };
}

/** The mirror with new and changed comments. */
export function withPosted(mirror: GitHubMirror, sentComments: ReadonlyMap<string, PostedComment>): GitHubMirror {
  const knownNames = new Set(mirror.posted.map(({ name }) => name));
  const addedComments = [...sentComments.values()].filter(({ name }) => !knownNames.has(name));
  return { ...mirror, posted: [...mirror.posted.map((one) => sentComments.get(one.name) ?? one), ...addedComments] };
}

/** Called before people's comments are read as answers: they may answer a comment of a process that died. */
export async function adoptComments(ports: SyncPorts, mirror: GitHubMirror): Promise<GitHubMirror> {
  const { issueNumber } = mirror;
  const issue = await ports.store.issues.read(issueNumber);
  if (issue === undefined) return mirror;
  const { posts } = planOf(await recordsOf(ports, issue), ports.audience);
  const names = new Set(posts.map(({ name }) => name));
  const { posted } = await findComments(ports, await ports.client(), { issueNumber, names });
  if (posted.size === 0) return mirror;
  return ports.mirror.issue(issueNumber).update((current = mirror) => {
    const next = withPosted(current, posted);
    return { next, result: next };
  });
}
