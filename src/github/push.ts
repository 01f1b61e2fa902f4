import { AgentXError } from '../protocol/errors.js';
import { emptyMirror, type GitHubMirror, type PostedComment, type UnsentItem } from '../protocol/github.js';
import type { Issue } from '../protocol/issue.js';
import { findComments } from './adopt.js';
import type { GitHubClient, Sent } from './client.js';

import { DELETED, type DesiredComment, type IssueRecords, isEmptyPlan, type Plan, planOf } from './desired.js';
import { GitHubFailure, troubleOf } from './failure.js';
import type { SyncPorts } from './ports.js';

/*
 * Sends what GitHub lacks of one issue, in order. Before comments are posted, their names are written down, in one
 * write for all of them; afterwards their ids. A process that dies in between leaves names without ids: the next one
 * looks for these names among the comments of the issue and posts only those that are not there.
 */

export interface PushOptions {
  readonly client: GitHubClient;
  /** Throws if another process has the right to send by now, or none may send any more. */
  readonly requireClaim: () => void;
  /** As whom the token writes. */
  readonly noteLogin: (login: string) => Promise<void>;
}

export async function recordsOf(
  { store, mirror, clock }: Pick<SyncPorts, 'store' | 'mirror' | 'clock'>,
  issue: Issue,
  hasQuestions = true,
): Promise<IssueRecords> {
  const { number } = issue;
  const [ledger, questions, assumptions, kept] = await Promise.all([
    store.ledgers.read(number),
    hasQuestions ? store.questions.list({ issue: number }) : { items: [] },
    store.assumptions.read(number),
    mirror.issue(number).read(),
  ]);
  return {
    issue,
    ledger,
    questions: questions.items,
    assumptions: assumptions.assumptions_made,
    mirror: kept ?? emptyMirror(number),
    now: clock.now(),
  };
}

export interface Pushed {
  /** How many requests it took. */
  readonly count: number;
  /** Whether some of it is still to be sent. */
  readonly isLeft: boolean;
}

/** Throws a failure that concerns everything; one of this issue alone is kept with it. */
export async function pushIssue(ports: SyncPorts, records: IssueRecords, options: PushOptions): Promise<Pushed> {
  const plan = planOf(records, ports.audience);
  const { trouble } = records.mirror;
  // What was refused stays on the list, for people to see.
  const isRefused = plan.refused.length > 0;
  if (isEmptyPlan(plan)) return { count: 0, isLeft: isRefused };
  if (trouble?.retryAt !== undefined && Date.parse(records.now) < Date.parse(trouble.retryAt)) {
    return { count: 0, isLeft: true };
  }
  const push = new Push(ports, records, options);
  try {
    await push.carryOut(plan);
    await push.keepTrouble(undefined);
    return { count: push.count, isLeft: isRefused || push.hasRefused };
  } catch (error) {
    if (!(error instanceof GitHubFailure) || error.scope === 'everything') throw error;
    const isGone = error.status === 410;
    await (isGone ? push.noteGone() : push.keepTrouble(error));
    return { count: push.count, isLeft: !isGone };
  }
}

/** What GitHub has not got, in words. */
export function unsentIn(records: IssueRecords, audience: SyncPorts['audience']): readonly UnsentItem[] {
  const { posts, edits, addLabels, removeLabels, state, refused } = planOf(records, audience);
  const { number: issueNumber } = records.issue;
  const why = records.mirror.trouble?.message;
  const waiting = [
    ...posts.map(({ what }) => what),
    ...edits.map(({ comment }) => `a change of ${comment.what}`),
    ...[...addLabels, ...removeLabels].map((label) => `the label ${label}`),
    ...(state === undefined ? [] : [`that it is ${state}`]),
  ];
  return [
    ...waiting.map((what) => ({ issueNumber, what, ...(why !== undefined && { why }) })),
    ...refused.map(({ comment, why: reason }) => ({ issueNumber, what: comment.what, why: reason })),
  ];
}

class Push {
  count = 0;
  /** Whether GitHub refused one of the texts. */
  hasRefused = false;
  readonly #number: number;
  readonly #sent = new Map<string, PostedComment>();

  constructor(
    private readonly ports: SyncPorts,
    private readonly records: IssueRecords,
    private readonly options: PushOptions,
  ) {
    this.#number = records.issue.number;
  }

  async carryOut(plan: Plan): Promise<void> {
    await this.#comments(plan);
    const { client } = this.options;
    const { addLabels, removeLabels, state } = plan;
    if (addLabels.length > 0) {
      const labels = await this.#request(() => client.addLabels(this.#number, addLabels));
      await this.#changeIssue((issue) => ({ ...issue, labels: [...labels] }));
    }
    for (const label of removeLabels) {
      await this.#request(() => client.removeLabel(this.#number, label));
      await this.#changeIssue((issue) => ({ ...issue, labels: issue.labels.filter((other) => other !== label) }));
    }
    if (state === undefined) return;
    const { state: seen } = await this.#request(() => client.setState(this.#number, state));
    await this.#changeIssue((issue) => ({
      ...issue,
      ...(issue.github && { github: { ...issue.github, state: seen } }),
    }));
  }

  async #comments({ posts, edits }: Plan): Promise<void> {
    const { mirror } = this.records;
    const uncertain = posts.filter(({ name }) => mirror.posted.some((posted) => posted.name === name));
    const there =
      uncertain.length === 0
        ? new Map<string, PostedComment>()
        : await this.#lookFor(uncertain.map(({ name }) => name));
    const missing = posts.filter(({ name }) => !there.has(name));
    for (const [name, posted] of there) this.#sent.set(name, posted);
    try {
      if (missing.length > 0) await this.#noteSending(missing);
      for (const comment of missing) await this.#post(comment);
      for (const { id, comment } of edits) await this.#edit(id, comment);
      // What was found may have another text by now.
      for (const comment of uncertain) {
        const found = there.get(comment.name);
        if (found?.id !== undefined && found.hash !== comment.hash) await this.#edit(found.id, comment);
      }
    } finally {
      await this.#keepSent();
    }
  }

  #lookFor(names: readonly string[]): Promise<ReadonlyMap<string, PostedComment>> {
    const { ports, options } = this;
    return findComments(ports, options.client, { issueNumber: this.#number, names: new Set(names) });
  }

  #noteSending(comments: readonly DesiredComment[]): Promise<void> {
    return this.#changeMirror((mirror) => {
      const known = new Set(mirror.posted.map(({ name }) => name));
      const added = comments.filter(({ name }) => !known.has(name)).map(({ name }) => ({ name }));
      return added.length === 0 ? mirror : { ...mirror, posted: [...mirror.posted, ...added] };
    });
  }

  async #post(comment: DesiredComment): Promise<void> {
    const { name, hash, body } = comment;
    try {
      const sent = await this.#request(() => this.options.client.comment(this.#number, body));
      this.#sent.set(name, postedOf(name, hash, sent));
      await this.options.noteLogin(sent.login);
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.scope !== 'text') throw error;
      this.hasRefused = true;
      this.#sent.set(name, { name, hash, refused: error.message });
    }
  }

  async #edit(id: number, comment: DesiredComment): Promise<void> {
    const { name, hash, body } = comment;
    try {
      const sent = await this.#request(() => this.options.client.edit(this.#number, id, body));
      this.#sent.set(name, postedOf(name, hash, sent));
    } catch (error) {
      if (!(error instanceof GitHubFailure)) throw error;
      if (error.status === 404 || error.status === 410) this.#sent.set(name, { name, id, hash, refused: DELETED });
      else if (error.scope !== 'text') throw error;
      else {
        this.hasRefused = true;
        this.#sent.set(name, { name, id, hash, refused: error.message });
      }
    }
  }

  async #keepSent(): Promise<void> {
    if (this.#sent.size === 0) return;
    await this.#changeMirror((mirror) => {
      const known = new Set(mirror.posted.map(({ name }) => name));
      const added = [...this.#sent.values()].filter(({ name }) => !known.has(name));
      return { ...mirror, posted: [...mirror.posted.map((one) => this.#sent.get(one.name) ?? one), ...added] };
    });
    this.#sent.clear();
  }

  async keepTrouble(error: GitHubFailure | undefined): Promise<void> {
    const before = this.records.mirror.trouble;
    if (error === undefined && before === undefined) return;
    const tries = (before?.tries ?? 0) + 1;
    const at = this.ports.clock.now();
    const retryAt = new Date(Date.parse(at) + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1))).toISOString();
    await this.#changeMirror(({ trouble: _, ...mirror }) =>
      error === undefined ? mirror : { ...mirror, trouble: { retryAt, ...troubleOf(error, at), tries } },
    );
  }

  /** It was deleted: there is nothing left to work on. */
  async noteGone(): Promise<void> {
    const at = this.ports.clock.now();
    await this.#changeIssue((issue) => ({
      ...issue,
      state: 'closed',
      status: 'Done',
      taskStatus: 'done',
      block_reason: null,
      updated: at,
      ...(issue.github && { github: { ...issue.github, state: 'closed', gone: at } }),
    }));
    await this.ports.decisions.closed(this.#number);
  }

  async #request<T>(send: () => Promise<T>): Promise<T> {
    this.options.requireClaim();
    this.count += 1;
    return send();
  }

  #changeMirror(change: (mirror: GitHubMirror) => GitHubMirror): Promise<void> {
    return this.ports.mirror.issue(this.#number).update((current = emptyMirror(this.#number)) => ({
      next: change(current),
      result: undefined,
    }));
  }

  async #changeIssue(change: (issue: Issue) => Issue): Promise<void> {
    try {
      await this.ports.store.issues.update(this.#number, (issue) => ({ next: change(issue), result: undefined }));
    } catch (error) {
      // Its file was removed meanwhile.
      if (!(error instanceof AgentXError) || error.code !== 'NOT_FOUND') throw error;
    }
  }
}

const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = 60 * 60_000;

function postedOf(name: string, hash: string, { id, url, at }: Sent): PostedComment {
  return { name, id, url, at, hash };
}
