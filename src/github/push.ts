import { AgentXError } from '../protocol/errors.js';
import {
  ACTIVE_LABEL,
  emptyMirror,
  type GitHubMirror,
  type GoneIssue,
  type PostedComment,
  STALE_LABEL,
  type UnsentItem,
} from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';
import type { GitHubClient } from './client.js';
import {
  copyOf,
  DELETED,
  type DesiredComment,
  type IssueRecords,
  isEmptyPlan,
  type Plan,
  planOf,
  shownLabels,
} from './desired-state.js';
import { GitHubFailure, isWaiting, troubleAfter } from './failure.js';
import { findComments, withPosted } from './find-posted.js';
import type { SyncPorts } from './ports.js';
import type { SentComment } from './remote-data.js';

/*
 * Sends the changes that GitHub lacks of one issue, in order. Before the sync posts comments, it notes the number of
 * the issue (push-all.ts); afterwards it notes their ids. If the process dies in between, the number stays. The next
 * sync then looks for the names of the missing comments on the issue, and posts only those that are not there.
 */

export interface PushOptions {
  readonly client: GitHubClient;
  /** Throws if this process has lost the right to send, or no process may send any more. */
  readonly requireClaim: () => void;
  /** Leaves an issue that failed a while ago for later. */
  readonly isPatient: boolean;
  /** Takes a write, which is carried out together with the writes of other issues. */
  readonly later: (write: () => Promise<void>) => void;
  /** Called with the account to which the token belongs. */
  readonly onLogin: (login: string) => void;
}

/** Everything to be sent for one issue. */
export interface Parcel {
  readonly records: IssueRecords;
  readonly plan: Plan;
  /** Whether a sync ended while it posted comments to the issue, so that GitHub may have some of them. */
  readonly isInDoubt: boolean;
}

/** If the last sync died, our labels on the issue may come from it. */
export function parcelOf(original: IssueRecords, audience: SyncPorts['audience'], isInDoubt: boolean): Parcel {
  const { mirror } = original;
  const own = [ACTIVE_LABEL, STALE_LABEL].filter(
    (label) => mirror.labels?.includes(label) || (isInDoubt && shownLabels(original).includes(label)),
  );
  const records = isInDoubt ? { ...original, mirror: { ...mirror, labels: own } } : original;
  return { records, plan: planOf(records, audience), isInDoubt };
}

export interface Pushed {
  /** The number of requests. */
  readonly count: number;
  /** Whether some of the parcel is still to be sent. */
  readonly isLeft: boolean;
  /** Whether GitHub may have comments of which this sync has no id. */
  readonly isInDoubt: boolean;
  /** Set if the issue was deleted or transferred. */
  readonly gone?: GoneIssue;
  /** A failure after which nothing more can be sent. A failure of this issue alone is stored with the issue. */
  readonly failure?: unknown;
}

export async function pushIssue(ports: SyncPorts, parcel: Parcel, options: PushOptions): Promise<Pushed> {
  const { records, plan, isInDoubt } = parcel;
  const { trouble } = records.mirror;
  // A refused comment stays on the list, for people to see.
  const isRefused = plan.refused.length > 0;
  if (isEmptyPlan(plan) && !isInDoubt) return { count: 0, isLeft: isRefused, isInDoubt };
  if (options.isPatient && isWaiting(trouble, records.now)) {
    return { count: 0, isLeft: true, isInDoubt };
  }
  const push = new Push(ports, parcel, options);
  const ended = (isLeft: boolean): Pushed => ({ count: push.count, isLeft, isInDoubt: push.isInDoubt });
  try {
    await push.carryOut(plan);
    push.keepTrouble(undefined);
    return ended(isRefused || push.hasRefused);
  } catch (error) {
    const failure = await fateOf(records.issue.number, error, options.client);
    if (!(failure instanceof GitHubFailure) || failure.scope === 'everything') return { ...ended(true), failure };
    if (!failure.isGone) {
      push.keepTrouble(failure);
      return ended(true);
    }
    await push.noteGone(failure.movedTo);
    ports.log.warn('an issue is not on GitHub any more', { issueNumber: records.issue.number, why: failure.message });
    const goneIssue = { issueNumber: records.issue.number, ...(failure.movedTo && { movedTo: failure.movedTo }) };
    return { ...ended(false), gone: goneIssue };
  }
}

/** If a comment or label is not found, its issue may be gone; a request for the issue tells. */
async function fateOf(issueNumber: number, error: unknown, client: GitHubClient): Promise<unknown> {
  if (!(error instanceof GitHubFailure) || error.status !== 404) return error;
  try {
    await client.requireIssue(issueNumber);
    return error;
  } catch (reason) {
    return reason;
  }
}

/** The changes that GitHub has not got, in words. */
export function unsentIn(records: IssueRecords, audience: SyncPorts['audience']): readonly UnsentItem[] {
  const { posts, edits, addLabels, removeLabels, state, refused } = planOf(records, audience);
  const { number: issueNumber } = records.issue;
  const why = records.mirror.trouble?.message;
  const waitingItems = [
    ...posts.map(({ what }) => what),
    ...edits.map(({ comment }) => `a change of ${comment.what}`),
    ...[...addLabels, ...removeLabels].map((label) => `the label ${label}`),
    ...(state === undefined ? [] : [`that it is ${state}`]),
  ];
  return [
    ...waitingItems.map((what) => ({ issueNumber, what, ...(why !== undefined && { why }) })),
    ...refused.map(({ comment, why: reason }) => ({ issueNumber, what: comment.what, why: reason })),
  ];
}

class Push {
  count = 0;
  /** Whether GitHub refused one of the texts. */
  hasRefused = false;
  isInDoubt: boolean;
  readonly #number: number;
  readonly #sent = new Map<string, PostedComment>();
  /** The account to which the token belongs, known after the first comment. */
  #login: string | undefined;
  #labels: readonly string[];
  /** The labels of the issue, if this sync changed them. */
  #shown: readonly string[] | undefined;

  constructor(
    private readonly ports: SyncPorts,
    private readonly parcel: Parcel,
    private readonly options: PushOptions,
  ) {
    const { issue, mirror } = parcel.records;
    this.#number = issue.number;
    this.#labels = mirror.labels ?? [];
    this.isInDoubt = parcel.isInDoubt;
  }

  async carryOut(plan: Plan): Promise<void> {
    try {
      await this.#comments(plan);
      await this.#changeLabels(plan);
    } finally {
      this.#keepSent();
    }
    const { state } = plan;
    if (state === undefined) return;
    const { state: remoteState } = await this.#request(() => this.options.client.setState(this.#number, state));
    await this.#changeIssue((issue) => ({
      ...issue,
      ...(issue.github && { github: { ...issue.github, state: remoteState } }),
    }));
  }

  async #comments({ posts, edits }: Plan): Promise<void> {
    const postedByName = await this.#alreadyThere(posts);
    for (const [name, postedComment] of postedByName) this.#sent.set(name, postedComment);
    for (const comment of posts) if (!postedByName.has(comment.name)) await this.#post(comment);
    await this.#agreeOnReplies(posts.filter(({ name }) => isReply(name) && !postedByName.has(name)));
    for (const { id, comment } of edits) await this.#edit(id, comment);
    // The record of a comment that was found may have changed since.
    for (const comment of posts) {
      const existingComment = postedByName.get(comment.name);
      if (existingComment?.id !== undefined && existingComment.hash !== comment.hash)
        await this.#edit(existingComment.id, comment);
    }
  }

  async #alreadyThere(posts: readonly DesiredComment[]): Promise<ReadonlyMap<string, PostedComment>> {
    // Another machine that works on this repository may have replied to the same comment.
    const postedByName = await this.#find(this.isInDoubt ? posts : posts.filter(({ name }) => isReply(name)));
    this.isInDoubt = false;
    return postedByName;
  }

  /** Another machine may have given the same reply since this machine looked. The first of several replies stays. */
  async #agreeOnReplies(replies: readonly DesiredComment[]): Promise<void> {
    try {
      for (const [name, comment] of await this.#find(replies)) this.#sent.set(name, comment);
    } catch (error) {
      this.isInDoubt = true;
      for (const { name } of replies) this.#sent.delete(name);
      throw error;
    }
  }

  async #find(comments: readonly DesiredComment[]): Promise<ReadonlyMap<string, PostedComment>> {
    const names = new Set(comments.map(({ name }) => name));
    if (names.size === 0) return new Map();
    const { client } = this.options;
    const place = { issueNumber: this.#number, names, login: this.#login };
    const { posted, surplus } = await findComments(this.ports, client, place);
    for (const id of surplus) await this.#request(() => client.removeComment(this.#number, id));
    return posted;
  }

  async #changeLabels({ addLabels, removeLabels }: Plan): Promise<void> {
    const { client } = this.options;
    if (addLabels.length > 0) {
      this.#labels = [...new Set([...this.#labels, ...addLabels])];
      this.#shown = await this.#request(() => client.addLabels(this.#number, addLabels));
    }
    for (const label of removeLabels) {
      await this.#request(() => client.removeLabel(this.#number, label));
      this.#labels = this.#labels.filter((other) => other !== label);
      this.#shown = (this.#shown ?? shownLabels(this.parcel.records)).filter((other) => other.toLowerCase() !== label);
    }
  }

  async #post(comment: DesiredComment): Promise<void> {
    const { name, hash, body } = comment;
    try {
      const sentComment = await this.#request(() => this.options.client.comment(this.#number, body));
      this.#sent.set(name, postedOf(name, hash, sentComment));
      this.#login = sentComment.login;
      this.options.onLogin(sentComment.login);
    } catch (error) {
      this.isInDoubt = mayHaveWorked(error);
      if (!(error instanceof GitHubFailure) || error.scope !== 'text') throw error;
      this.#noteRefusal(comment, error);
      this.#sent.set(name, { name, hash, refused: error.message });
    }
  }

  async #edit(id: number, comment: DesiredComment): Promise<void> {
    const { name, hash, body } = comment;
    try {
      const sentComment = await this.#request(() => this.options.client.edit(this.#number, id, body));
      this.#sent.set(name, postedOf(name, hash, sentComment));
    } catch (error) {
      if (!(error instanceof GitHubFailure)) throw error;
      // People may answer a comment that cannot be changed any more: its time says which answers came after it.
      const postedComment = this.#sent.get(name) ?? this.parcel.records.mirror.posted.find((one) => one.name === name);
      if (error.status === 404 || error.status === 410) {
        // The whole issue may be gone.
        await this.options.client.requireIssue(this.#number);
        this.#sent.set(name, { ...postedComment, name, id, hash, refused: DELETED });
      } else if (error.scope !== 'text') throw error;
      else {
        this.#noteRefusal(comment, error);
        this.#sent.set(name, { ...postedComment, name, id, hash, refused: error.message });
      }
    }
  }

  #noteRefusal({ what }: DesiredComment, { message }: GitHubFailure): void {
    this.hasRefused = true;
    this.ports.log.warn('GitHub refuses a comment', { issueNumber: this.#number, what, why: message });
  }

  #keepSent(): void {
    const labels = [...this.#labels];
    const { mirror, issue } = this.parcel.records;
    const isSame = !this.parcel.isInDoubt && labels.join() === (mirror.labels ?? []).join();
    if (this.#sent.size === 0 && isSame && this.#shown === undefined) return;
    const sentComments = new Map(this.#sent);
    // The next look at GitHub finds the issue changed anyway, and updates its copy.
    const shown = this.#shown && { labels: [...this.#shown], copy: copyOf(issue) };
    this.#changeMirror((current) => ({
      ...withPosted(current, sentComments),
      ...(!isSame && { labels }),
      ...(shown !== undefined && { shown }),
    }));
  }

  keepTrouble(error: GitHubFailure | undefined): void {
    const earlierTrouble = this.parcel.records.mirror.trouble;
    if (error === undefined && earlierTrouble === undefined) return;
    const at = this.ports.clock.now();
    this.#changeMirror(({ trouble: _, ...mirror }) =>
      error === undefined ? mirror : { ...mirror, trouble: troubleAfter(earlierTrouble, error, at) },
    );
  }

  /** The issue was deleted, or is in another repository: there is nothing left to work on. */
  async noteGone(movedTo: string | undefined): Promise<void> {
    const at = this.ports.clock.now();
    await this.#changeIssue((issue) => ({
      ...issue,
      state: 'closed',
      status: 'Done',
      taskStatus: 'done',
      block_reason: null,
      updated: at,
      ...(issue.github && { github: { ...issue.github, state: 'closed', gone: at, ...(movedTo && { movedTo }) } }),
    }));
    await this.ports.decisions.closed(this.#number);
  }

  async #request<T>(send: () => Promise<T>): Promise<T> {
    this.options.requireClaim();
    this.count += 1;
    return send();
  }

  #changeMirror(change: (mirror: GitHubMirror) => GitHubMirror): void {
    const file = this.ports.mirror.issue(this.#number);
    this.options.later(() =>
      file.update((current = emptyMirror(this.#number)) => ({ next: change(current), result: undefined })),
    );
  }

  async #changeIssue(change: (issue: Issue) => Issue): Promise<void> {
    try {
      await this.ports.store.issues.update(this.#number, (issue) => ({ next: change(issue), result: undefined }));
    } catch (error) {
      // The issue's file was removed meanwhile.
      if (!(error instanceof AgentXError) || error.code !== 'NOT_FOUND') throw error;
    }
  }
}

/** GitHub may have carried out the request, unless it said that it did not. */
function mayHaveWorked(error: unknown): boolean {
  const status = error instanceof GitHubFailure ? error.status : undefined;
  return status === undefined || status >= 500;
}

const isReply = (name: string): boolean => name.startsWith('reply:');

function postedOf(name: string, hash: string, { id, url, at }: SentComment): PostedComment {
  return { name, id, url, at, hash };
}
