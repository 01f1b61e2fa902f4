import type { App } from '../app/create-app.js';
import type { ChangedKind } from '../ports/changes.js';
import type { AgentStatusFile } from '../protocol/agent-status.js';
import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import type { Question } from '../protocol/question.js';
import type { Run } from '../protocol/run.js';

/** A message before it has its number. */
export interface Looked {
  readonly type: string;
  readonly projectId: string;
  readonly [field: string]: unknown;
}

/** What was there at the last look: enough to see what is new, changed or gone. */
export interface Seen {
  readonly questions: ReadonlyMap<string, Question>;
  readonly clarifications: ReadonlyMap<string, ClarificationRecord>;
  readonly agents: AgentStatusFile;
  readonly issues: ReadonlyMap<number, Issue>;
  readonly runs: ReadonlyMap<string, Run>;
  readonly assumptions: ReadonlyMap<string, Assumption>;
}

type Look = { readonly seen: Seen; readonly messages: readonly Looked[] };

const NOTHING: Seen = {
  questions: new Map(),
  clarifications: new Map(),
  agents: {},
  issues: new Map(),
  runs: new Map(),
  assumptions: new Map(),
};

/** Looks at the kinds that may have changed. The first look has nothing to compare with and tells nothing. */
export async function lookAt(
  app: App,
  projectId: string,
  before: Seen | undefined,
  kinds: ReadonlySet<ChangedKind>,
): Promise<Look> {
  let seen = before ?? NOTHING;
  const messages: Looked[] = [];
  const tell = (type: string, fields: Readonly<Record<string, unknown>>) => {
    if (before !== undefined) messages.push({ type, projectId, ...fields });
  };
  if (kinds.has('questions')) seen = { ...seen, questions: await lookAtQuestions(app, seen.questions, tell) };
  if (kinds.has('clarifications')) {
    seen = { ...seen, clarifications: await lookAtClarifications(app, seen.clarifications, tell) };
  }
  if (kinds.has('agents')) seen = { ...seen, agents: await lookAtAgents(app, seen.agents, tell) };
  if (kinds.has('issues')) seen = { ...seen, issues: await lookAtIssues(app, seen.issues, tell) };
  if (kinds.has('runs')) seen = { ...seen, runs: await lookAtRuns(app, seen.runs, tell) };
  if (kinds.has('assumptions')) seen = { ...seen, assumptions: await lookAtAssumptions(app, seen.assumptions, tell) };
  return { seen, messages };
}

type Tell = (type: string, fields: Readonly<Record<string, unknown>>) => void;

async function lookAtQuestions(app: App, before: Seen['questions'], tell: Tell): Promise<Seen['questions']> {
  const { items } = await app.store.questions.listOpen();
  const now = new Map(items.map((question) => [question.id, question]));
  for (const [id, question] of now) {
    const known = before.get(id);
    if (known === undefined) tell('notification.added', { notification: question });
    else if (isChanged(known, question)) tell('notification.updated', { notification: question });
  }
  for (const [id, { source, sourceId }] of before) {
    if (now.has(id)) continue;
    const ended = await app.store.questions.read(id);
    const { outcome, answeredBy, responses } = ended ?? {};
    tell('notification.resolved', { notificationId: id, source, sourceId, outcome, answeredBy, responses });
  }
  return now;
}

/** Notes, such as who is typing, raise no revision. */
function isChanged(before: Question, now: Question): boolean {
  const markOf = ({ revision, expiresAt, typing, drafts }: Question) =>
    `${revision} ${expiresAt} ${typing?.at} ${drafts?.at(-1)?.at}`;
  return before !== now && markOf(before) !== markOf(now);
}

async function lookAtClarifications(
  app: App,
  before: Seen['clarifications'],
  tell: Tell,
): Promise<Seen['clarifications']> {
  const { items } = await app.store.ledgers.listActive();
  const now = new Map(items.map(({ record }) => [record.id, record]));
  for (const [id, record] of now) {
    const known = before.get(id);
    if (known === undefined) tell('clarification.requested', payloadOf(record));
    else if (known.round < record.round) tell('clarification.requested', payloadOf(record));
    if (known?.status !== record.status && record.status !== 'pending') {
      tell(`clarification.${record.status}`, payloadOf(record));
    }
  }
  for (const [id, record] of before) {
    if (now.has(id)) continue;
    const ledger = await app.store.ledgers.read(parseClarificationId(id).issueNumber);
    const ended = ledger.clarifications.find((other) => other.id === id) ?? record;
    tell(`clarification.${ended.status}`, payloadOf(ended));
  }
  return now;
}

function payloadOf({ id, from, to, topic, blocking, round, status }: ClarificationRecord) {
  const { issueNumber } = parseClarificationId(id);
  return { clarificationId: id, issueNumber, fromAgent: from, toAgent: to, topic, blocking, round, status };
}

async function lookAtAgents(app: App, before: AgentStatusFile, tell: Tell): Promise<AgentStatusFile> {
  const now = await app.store.statuses.read();
  for (const [agent, entry] of Object.entries(now)) {
    if (JSON.stringify(before[agent]) !== JSON.stringify(entry)) tell('agent.status', { agent, ...entry });
  }
  return now;
}

async function lookAtIssues(app: App, before: Seen['issues'], tell: Tell): Promise<Seen['issues']> {
  const { items } = await app.store.issues.list();
  const now = new Map(items.map((issue) => [issue.number, issue]));
  for (const [number, issue] of now) {
    const known = before.get(number);
    if (known?.updated === issue.updated && known.taskStatus === issue.taskStatus && known.status === issue.status) {
      continue;
    }
    const { taskStatus, assignee, block_reason } = issue;
    tell('task.updated', { taskId: String(number), status: taskStatus, assignee, block_reason, column: issue.status });
  }
  return now;
}

async function lookAtRuns(app: App, before: Seen['runs'], tell: Tell): Promise<Seen['runs']> {
  const { items } = await app.store.runs.list();
  const now = new Map(items.map((run) => [run.id, run]));
  for (const [runId, { issueNumber, status, phase, waitingOn, updatedAt }] of now) {
    if (before.get(runId)?.updatedAt === updatedAt) continue;
    tell('run.updated', { runId, issueNumber, status, phase, waitingOn });
  }
  return now;
}

async function lookAtAssumptions(app: App, before: Seen['assumptions'], tell: Tell): Promise<Seen['assumptions']> {
  const { items } = await app.store.assumptions.list();
  const now = new Map(items.map((assumption, index) => [assumption.id ?? String(index), assumption]));
  for (const [id, assumption] of now) {
    if (before.get(id)?.status !== assumption.status) tell('assumption.updated', { assumption });
  }
  return now;
}
