import { AgentXError } from '../protocol/errors.js';
import type { Issue } from '../protocol/issue.js';
import { MAX_REQUEST_BODY_BYTES } from '../protocol/limits.js';
import { requireText } from '../protocol/parse.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { BoardPorts } from './ports.js';

const MAX_TITLE_CHARACTERS = 200;
const MAX_LABELS = 50;
const MAX_LABEL_CHARACTERS = 100;
/** The longest body that every surface can carry. */
const MAX_BODY_CHARACTERS = MAX_REQUEST_BODY_BYTES;

export interface NewIssue {
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  /** The cause of the issue: creating it again returns the same issue. */
  readonly origin?: string;
}

export interface NewComment {
  readonly number: number;
  readonly body: string;
  readonly author?: string;
}

export async function createIssue(ports: BoardPorts, draft: NewIssue): Promise<Issue> {
  const title = requireText(draft.title, 'title', MAX_TITLE_CHARACTERS).trim();
  const body = requireBody(draft.body ?? '');
  const labels = requireLabels(draft.labels ?? []);
  const earlierIssue = await createdBefore(ports, draft.origin);
  if (earlierIssue !== undefined) return earlierIssue;
  const at = ports.clock.now();
  const issue = await ports.store.issues.create({
    title,
    body,
    labels,
    status: 'Backlog',
    state: 'open',
    assignee: null,
    taskStatus: 'open',
    block_reason: null,
    created: at,
    updated: at,
    comments: [],
    ...(draft.origin === undefined ? {} : { origin: draft.origin }),
  });
  announce(ports, issue);
  return issue;
}

export async function commentIssue(
  ports: Pick<BoardPorts, 'store' | 'clock'>,
  { number, body, author }: NewComment,
): Promise<Issue> {
  const text = requireText(body, 'comment', MAX_BODY_CHARACTERS);
  const created = ports.clock.now();
  const comment = author === undefined ? { body: text, created } : { author, body: text, created };
  return ports.store.issues.update(number, (issue) => {
    const next = { ...issue, comments: [...issue.comments, comment], updated: created };
    return { next, result: next };
  });
}

/** The work is over, whatever it was waiting for. */
export async function closeIssue(ports: BoardPorts, number: number): Promise<Issue> {
  return changeState(ports, number, (issue) =>
    issue.state === 'closed'
      ? issue
      : { ...issue, state: 'closed', status: 'Done', taskStatus: 'done', block_reason: null },
  );
}

export async function reopenIssue(ports: BoardPorts, number: number): Promise<Issue> {
  return changeState(ports, number, (issue) =>
    issue.state === 'open' && issue.taskStatus !== 'done'
      ? issue
      : { ...issue, state: 'open', status: 'Backlog', taskStatus: 'open', assignee: null, block_reason: null },
  );
}

/** `change` returns the same issue if there is nothing to do; then nothing is written or announced. */
export async function changeState(ports: BoardPorts, number: number, change: (issue: Issue) => Issue): Promise<Issue> {
  const at = ports.clock.now();
  const { issue, isChanged } = await ports.store.issues.update(number, (current) => {
    const changedIssue = change(current);
    const next = changedIssue === current ? current : { ...changedIssue, updated: at };
    return { next, result: { issue: next, isChanged: next !== current } };
  });
  if (isChanged) announce(ports, issue);
  return issue;
}

/** Only agents' issues have an origin, and the acts of an agent are carried out one after the other. */
async function createdBefore(ports: Pick<BoardPorts, 'store'>, origin: string | undefined): Promise<Issue | undefined> {
  if (origin === undefined) return undefined;
  return (await ports.store.issues.list()).items.find((issue) => issue.origin === origin);
}

function announce(ports: Pick<BoardPorts, 'bus' | 'projectId'>, issue: Issue): void {
  ports.bus.emit('task-updated', {
    projectId: ports.projectId,
    taskId: String(issue.number),
    status: issue.taskStatus,
    assignee: issue.assignee,
    block_reason: issue.block_reason,
    timestamp: toEpochMs(issue.updated),
  });
}

function requireBody(body: string): string {
  return typeof body === 'string' && body.trim() === '' ? body : requireText(body, 'body', MAX_BODY_CHARACTERS);
}

function requireLabels(labels: readonly string[]): readonly string[] {
  if (!Array.isArray(labels)) throw new AgentXError('INVALID_INPUT', 'The labels are no list of texts.');
  const uniqueLabels = [...new Set(labels.map((label) => requireText(label, 'label', MAX_LABEL_CHARACTERS).trim()))];
  if (uniqueLabels.length <= MAX_LABELS) return uniqueLabels;
  throw new AgentXError('INVALID_INPUT', `There are ${uniqueLabels.length} labels. Allowed: up to ${MAX_LABELS}.`, {
    count: uniqueLabels.length,
    max: MAX_LABELS,
  });
}
