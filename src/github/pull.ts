import { AgentXError } from '../protocol/errors.js';
import type { GitHubSync, IssueDraft, RemoteComment } from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';
import { type GitHubClient, PAGE_SIZE } from './client.js';
import { readIssueName } from './comment-name.js';
import { mergeComments, mergeIssue } from './merge.js';
import type { SyncPorts } from './ports.js';
import type { RemoteIssue } from './remote-data.js';
import { isCorrected, takeComments } from './take-answer.js';

/*
 * Reads the changes on GitHub. One request shows the issues that changed last. With the tag of the answer before, the
 * request costs nothing if no issue changed. If the changed issues may not fit on one page, they are read from the last
 * place on, oldest change first. The place is stored after each page, so that a process that dies repeats at most one
 * page.
 */

interface Cursor {
  readonly since?: string | undefined;
  readonly etag?: string | undefined;
  readonly commentsSince?: string | undefined;
}

export interface Pulled {
  readonly received: number;
  readonly answered: readonly string[];
}

export async function pull(ports: SyncPorts, client: GitHubClient): Promise<Pulled> {
  const { mirror } = ports;
  let cursor: Cursor = (await mirror.sync.read()) ?? {};
  if (cursor.since === undefined) await refuseLocalIssues(ports);
  const keep = async (next: Cursor) => {
    cursor = next;
    await mirror.sync.update((current) => ({ next: withCursor(ports.repo, current, next), result: undefined }));
  };
  const latest = await client.latestIssues(cursor.etag);
  if (latest === undefined) return { received: 0, answered: [] };
  const { since } = cursor;
  const isAll = latest.issues.length < PAGE_SIZE || latest.issues.some(({ updated }) => isOlder(updated, since));
  const receivedCount = isAll ? await apply(ports, latest.issues) : await pullIssues(ports, client, cursor, keep);
  const place = latestOf(latest.issues, cursor.since);
  // Comments from before the first sync are not read.
  const isFirst = cursor.commentsSince === undefined;
  const answeredIds = isFirst ? [] : await pullComments(ports, client, cursor, keep);
  // The tag is stored last: it says that all changes up to here are in the copy.
  await keep({ since: place, etag: latest.etag, commentsSince: cursor.commentsSince ?? place });
  return { received: receivedCount, answered: answeredIds };
}

function isOlder(updated: string, since: string | undefined): boolean {
  return since !== undefined && Date.parse(updated) < Date.parse(since);
}

async function pullIssues(
  ports: SyncPorts,
  client: GitHubClient,
  { since: start, commentsSince }: Cursor,
  keep: (cursor: Cursor) => Promise<void>,
): Promise<number> {
  let since = start;
  let receivedCount = 0;
  for (let page = 1; ; ) {
    const issues = await client.issues({ since, page });
    receivedCount += await apply(ports, issues);
    const latest = latestOf(issues, since);
    const isOn = latest === since;
    if (!isOn) {
      since = latest;
      await keep({ since, commentsSince });
    }
    if (issues.length < PAGE_SIZE) return receivedCount;
    // Pages are counted only where more issues share the second of their last change than fit on one page.
    page = isOn ? page + 1 : 1;
  }
}

async function pullComments(
  ports: SyncPorts,
  client: GitHubClient,
  start: Cursor,
  keep: (cursor: Cursor) => Promise<void>,
): Promise<readonly string[]> {
  let { commentsSince } = start;
  const answeredIds: string[] = [];
  for (let page = 1; ; ) {
    const comments = await client.comments({ since: commentsSince, page });
    answeredIds.push(...(await receiveComments(ports, comments)));
    const latest = latestOf(comments, commentsSince);
    const isOn = latest === commentsSince;
    if (!isOn) {
      commentsSince = latest;
      await keep({ ...start, commentsSince });
    }
    if (comments.length < PAGE_SIZE) return answeredIds;
    page = isOn ? page + 1 : 1;
  }
}

/** Comments join the copy of their issue, and answers are carried out. */
export async function receiveComments(
  ports: SyncPorts,
  comments: readonly RemoteComment[],
): Promise<readonly string[]> {
  const current: RemoteComment[] = [];
  for (const number of new Set(comments.map(({ issueNumber }) => issueNumber))) {
    const { taken = [] } = (await ports.mirror.issue(number).read()) ?? {};
    const own = comments.filter((comment) => comment.issueNumber === number && !isCorrected(comment, taken));
    current.push(...own);
    if ((await ports.store.issues.read(number)) === undefined) continue;
    await ports.store.issues.update(number, (issue) => ({ next: mergeComments(issue, own), result: undefined }));
  }
  return takeComments(ports, current);
}

/** A person deleted the comment on GitHub. What was written here stays. */
export async function forgetComment({ store, mirror }: SyncPorts, issueNumber: number, id: number): Promise<void> {
  const { posted = [] } = (await mirror.issue(issueNumber).read()) ?? {};
  const issue = await store.issues.read(issueNumber);
  if (posted.some((one) => one.id === id) || issue?.comments.some(({ commentId }) => commentId === id) !== true) return;
  await store.issues.update(issueNumber, (current) => ({
    next: { ...current, comments: current.comments.filter(({ commentId }) => commentId !== id) },
    result: undefined,
  }));
}

/** Returns how many issues changed the copy. */
async function apply(ports: SyncPorts, issues: readonly RemoteIssue[]): Promise<number> {
  const drafts = (await ports.mirror.drafts.read())?.drafts ?? [];
  const results = await Promise.all(
    issues
      .filter(({ isPullRequest }) => !isPullRequest)
      .map(async (remote) => {
        const draft = drafts.find(({ id }) => id === readIssueName(remote.body).id);
        const { isNews, isClosed } = await putIssue(ports, remote, draft);
        if (isClosed) await ports.decisions.closed(remote.number);
        return isNews;
      }),
  );
  return results.filter((isNews) => isNews).length;
}

/** More than commands wait for a sync at the same time. */
const REMEMBERED = 100;

/** An issue that was created here keeps its cause and its own words. */
export async function putIssue(
  ports: SyncPorts,
  remote: RemoteIssue,
  draft?: Pick<IssueDraft, 'id' | 'title' | 'body' | 'origin'>,
): Promise<{ readonly issue: Issue; readonly isNews: boolean; readonly isClosed: boolean }> {
  const { store, mirror } = ports;
  const result = await store.issues.put(remote.number, (local) => {
    if (local !== undefined && local.github === undefined) throw localIssue(local.number);
    const mergedIssue = mergeIssue(local, remote);
    const issue =
      draft === undefined || mergedIssue.origin !== undefined
        ? mergedIssue
        : {
            ...mergedIssue,
            title: draft.title,
            body: draft.body,
            ...(draft.origin !== undefined && { origin: draft.origin }),
          };
    const isNews = local?.github?.updated !== issue.github?.updated;
    const isClosed = local?.state === 'open' && issue.state === 'closed';
    return { next: issue, result: { issue, isNews, isClosed } };
  });
  if (draft !== undefined) {
    await mirror.drafts.update(({ drafts = [], sent = [], ...rest } = { drafts: [] }) => ({
      next: {
        ...rest,
        drafts: drafts.filter(({ id }) => id !== draft.id),
        sent: [...sent, { id: draft.id, number: remote.number }].slice(-REMEMBERED),
      },
      result: undefined,
    }));
  }
  return result;
}

/** Issues of local mode have numbers of their own, which must not be mistaken for GitHub's. */
async function refuseLocalIssues({ store }: SyncPorts): Promise<void> {
  const { items } = await store.issues.list();
  const local = items.find(({ github }) => github === undefined);
  if (local !== undefined) throw localIssue(local.number);
}

function localIssue(number: number): AgentXError {
  const problem = `.agentx/issues/${number}.json was written in local mode, and GitHub numbers its issues itself.`;
  const todo = 'Move .agentx/issues and .agentx/state to another place first; nothing was changed.';
  return new AgentXError('CONFLICT', `${problem} ${todo}`, { issueNumber: number });
}

function latestOf(items: readonly { readonly updated: string }[], since: string | undefined): string | undefined {
  return items.reduce<string | undefined>(
    (latest, { updated }) => (latest === undefined || Date.parse(updated) > Date.parse(latest) ? updated : latest),
    since,
  );
}

function withCursor(repo: string, current: GitHubSync | undefined, cursor: Cursor): GitHubSync {
  const { since: _since, etag: _etag, commentsSince: _comments, ...rest } = current ?? { unsent: [] };
  const { since, etag, commentsSince } = cursor;
  return {
    ...rest,
    repo,
    ...(since !== undefined && { since }),
    ...(etag !== undefined && { etag }),
    ...(commentsSince !== undefined && { commentsSince }),
  };
}
