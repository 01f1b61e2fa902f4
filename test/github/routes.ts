import { type Json, string } from '../wire/json.js';
import { mayTriage, mayWrite, type Person } from './people.js';
import { Refusal, validationFailed } from './refusal.js';
import type { Comment, Issue } from './repository.js';
import {
  commentShape,
  issueShape,
  labelShape,
  type Place,
  permissionShape,
  repositoryShape,
  userShape,
} from './shapes.js';

export interface Call extends Place {
  readonly viewer: Person;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Json;
  /** The body where it is a list. */
  readonly list: readonly unknown[];
}

export interface Reply {
  readonly status: number;
  /** Undefined where GitHub sends none. A list is cut into pages by the server. */
  readonly body?: unknown;
}

const REPOSITORY = '/repos/{owner}/{repo}';
const ISSUE = `${REPOSITORY}/issues/{issue_number}`;
const COMMENT = `${REPOSITORY}/issues/comments/{comment_id}`;

/** By their names in the description. */
export const ROUTES: Readonly<Record<string, (call: Call) => Reply>> = {
  'GET /user': (call) => {
    const { now } = { now: call.repository.now() };
    const counts = { public_repos: 1, public_gists: 0, followers: 0, following: 0 };
    const unsaid = { name: null, company: null, blog: null, location: null, email: null, hireable: null, bio: null };
    return ok({ ...userShape(call.viewer, call), ...unsaid, ...counts, created_at: now, updated_at: now });
  },
  [`GET ${REPOSITORY}`]: (call) => ok(repositoryShape(call.viewer, call)),
  [`GET ${REPOSITORY}/labels`]: (call) => ok(call.repository.labels.map((label) => labelShape(label, call))),
  [`POST ${REPOSITORY}/labels`](call) {
    requireWrite(call);
    const name = string(call.body.name);
    if (call.repository.labelNamed(name) !== undefined) throw validationFailed('Label', 'name', 'already_exists');
    const { color, description } = call.body;
    const label = call.repository.createLabel({
      name,
      ...(typeof color === 'string' && { color }),
      ...(typeof description === 'string' && { description }),
    });
    return { status: 201, body: labelShape(label, call) };
  },
  [`GET ${REPOSITORY}/collaborators/{username}/permission`](call) {
    requireWrite(call, 'Must have push access to view collaborator permission.');
    const person = call.repository.people.get(call.parameters.username ?? '');
    if (person === undefined) throw new Refusal(404, `${call.parameters.username} is not a user`);
    return ok(permissionShape(person, call));
  },
  [`GET ${REPOSITORY}/issues`](call) {
    const { query, repository } = call;
    const state = query.get('state') ?? 'open';
    const labels = query.get('labels')?.split(',') ?? [];
    const issues = repository.issues.filter(
      (issue) =>
        isHere(issue) &&
        (state === 'all' || issue.state === state) &&
        labels.every((label) => issue.labels.includes(label)) &&
        isSince(issue, query),
    );
    const sort = query.get('sort') ?? 'created';
    const ascending = sorted(issues, sort, query.get('direction') ?? 'desc');
    return ok(ascending.map((issue) => issueShape(issue, call)));
  },
  [`POST ${REPOSITORY}/issues`](call) {
    const { body, viewer, repository } = call;
    refuseReadOnly(call);
    refuseLong('Issue', body.body);
    // What people without write access say about labels and assignees is dropped without a word.
    const dressed = mayTriage(viewer)
      ? { labels: namesIn(body.labels), assignees: assigneesIn(call, body.assignees) }
      : {};
    const text = body.body === undefined ? null : string(body.body);
    const issue = repository.createIssue({ title: string(body.title), body: text, by: viewer.login, ...dressed });
    return { status: 201, body: issueShape(issue, call) };
  },
  [`GET ${REPOSITORY}/issues/comments`](call) {
    const { query, repository } = call;
    const comments = repository.comments.filter(
      (comment) => isSince(comment, query) && isHere(repository.issue(comment.issue)),
    );
    // The direction is not looked at without an order.
    const order = query.has('sort') ? (query.get('direction') ?? 'desc') : 'asc';
    return ok(sorted(comments, query.get('sort') ?? 'created', order).map((comment) => commentShape(comment, call)));
  },
  [`GET ${COMMENT}`]: (call) => ok(commentShape(commentOf(call), call)),
  [`PATCH ${COMMENT}`](call) {
    const comment = commentOf(call);
    refuseReadOnly(call);
    if (comment.author.login !== call.viewer.login) requireWrite(call);
    call.repository.editComment(comment, commentBody(call.body.body));
    return ok(commentShape(comment, call));
  },
  [`DELETE ${COMMENT}`](call) {
    const comment = commentOf(call);
    refuseReadOnly(call);
    if (comment.author.login !== call.viewer.login) requireWrite(call);
    call.repository.comments.splice(call.repository.comments.indexOf(comment), 1);
    call.repository.touch(call.repository.issue(comment.issue));
    return { status: 204 };
  },
  [`GET ${ISSUE}`]: (call) => ok(issueShape(issueItself(call), call)),
  [`PATCH ${ISSUE}`](call) {
    const { body, repository } = call;
    const issue = issueItself(call);
    refuseReadOnly(call);
    if (issue.author.login !== call.viewer.login) requireWrite(call);
    refuseLong('Issue', body.body);
    if (body.title !== undefined) issue.title = string(body.title);
    if (body.body !== undefined) issue.body = body.body === null ? null : string(body.body);
    if (body.labels !== undefined) {
      issue.labels = [];
      repository.addLabels(issue, namesIn(body.labels));
    }
    if (body.assignees !== undefined) issue.assignees = assigneesIn(call, body.assignees);
    if (body.state === 'open' || body.state === 'closed') {
      repository.setState(issue, body.state, typeof body.state_reason === 'string' ? body.state_reason : null);
    }
    repository.touch(issue);
    return ok(issueShape(issue, call));
  },
  [`GET ${ISSUE}/comments`](call) {
    const comments = call.repository.commentsOn(issueOf(call).number).filter((comment) => isSince(comment, call.query));
    return ok(comments.map((comment) => commentShape(comment, call)));
  },
  [`POST ${ISSUE}/comments`](call) {
    const issue = issueOf(call);
    refuseReadOnly(call);
    if (issue.isLocked && !mayWrite(call.viewer)) {
      throw new Refusal(403, 'Unable to create comment because issue is locked.');
    }
    const comment = call.repository.addComment(issue, call.viewer, commentBody(call.body.body));
    return { status: 201, body: commentShape(comment, call) };
  },
  [`GET ${ISSUE}/labels`]: (call) => labelsOf(call),
  [`POST ${ISSUE}/labels`](call) {
    requireTriage(call);
    call.repository.addLabels(issueOf(call), namesIn(call.body.labels ?? call.list));
    return labelsOf(call);
  },
  [`PUT ${ISSUE}/labels`](call) {
    requireTriage(call);
    const issue = issueOf(call);
    issue.labels = [];
    call.repository.addLabels(issue, namesIn(call.body.labels ?? call.list));
    return labelsOf(call);
  },
  [`DELETE ${ISSUE}/labels/{name}`](call) {
    requireTriage(call);
    const issue = issueOf(call);
    const name = call.parameters.name?.toLowerCase();
    const existing = issue.labels.find((label) => label.toLowerCase() === name);
    if (existing === undefined) throw new Refusal(404, 'Label does not exist');
    call.repository.removeLabel(issue, existing);
    return labelsOf(call);
  },
  [`POST ${ISSUE}/assignees`](call) {
    const issue = issueOf(call);
    issue.assignees = [...new Set([...issue.assignees, ...assigneesIn(call, call.body.assignees)])];
    call.repository.touch(issue);
    return { status: 201, body: issueShape(issue, call) };
  },
  [`DELETE ${ISSUE}/assignees`](call) {
    const issue = issueOf(call);
    const gone = namesIn(call.body.assignees);
    issue.assignees = issue.assignees.filter((login) => !gone.includes(login));
    call.repository.touch(issue);
    return ok(issueShape(issue, call));
  },
};

const ok = (body: unknown): Reply => ({ status: 200, body });

function labelsOf(call: Call): Reply {
  const { labels } = issueOf(call);
  return ok(issueShape({ ...issueOf(call), labels }, call).labels);
}

function issueOf({ parameters, repository }: Call): Issue {
  if (!repository.hasIssues) throw new Refusal(410, 'Issues are disabled for this repo');
  const issue = repository.issues.find(({ number }) => number === Number(parameters.issue_number));
  if (issue === undefined) throw new Refusal(404, 'Not Found');
  if (issue.isDeleted) throw new Refusal(410, 'This issue was deleted');
  if (issue.movedTo !== undefined) throw new Refusal(404, 'Not Found');
  return issue;
}

const isHere = ({ isDeleted, movedTo }: Issue): boolean => !isDeleted && movedTo === undefined;

/** The issue itself leads to the place that it was transferred to; what belongs to it does not. */
function issueItself(call: Call): Issue {
  const { movedTo } =
    call.repository.issues.find(({ number }) => number === Number(call.parameters.issue_number)) ?? {};
  if (movedTo === undefined) return issueOf(call);
  const location = `${call.api}/repositories/${movedTo.repository.id}/issues/${movedTo.number}`;
  throw new Refusal(301, 'Moved Permanently', { headers: { location } });
}

function commentOf({ parameters, repository }: Call): Comment {
  const comment = repository.comments.find(({ id }) => id === Number(parameters.comment_id));
  if (comment === undefined) throw new Refusal(404, 'Not Found');
  if (!isHere(repository.issue(comment.issue))) throw new Refusal(404, 'Not Found');
  return comment;
}

function requireWrite({ viewer }: Call, message = 'Must have admin rights to Repository.'): void {
  if (!mayWrite(viewer)) throw new Refusal(403, message);
}

function requireTriage({ viewer }: Call): void {
  if (!mayTriage(viewer)) throw new Refusal(403, 'Must have admin rights to Repository.');
}

function refuseReadOnly({ repository }: Call): void {
  if (repository.isArchived) throw new Refusal(403, 'Repository was archived so is read-only.');
  if (!repository.hasIssues) throw new Refusal(410, 'Issues are disabled for this repo');
}

const LONGEST_BODY = 65_536;

function refuseLong(resource: string, body: unknown): void {
  if (string(body).length <= LONGEST_BODY) return;
  throw validationFailed(resource, 'data', 'unprocessable', `Body is too long (maximum is ${LONGEST_BODY} characters)`);
}

function commentBody(body: unknown): string {
  refuseLong('IssueComment', body);
  if (string(body).trim() === '')
    throw validationFailed('IssueComment', 'data', 'unprocessable', "Body can't be blank");
  return string(body);
}

/** Names in a list of texts or of objects. */
function namesIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((one: unknown) =>
    typeof one === 'object' && one !== null && 'name' in one ? string(one.name) : string(one),
  );
}

function assigneesIn({ repository }: Call, value: unknown): readonly string[] {
  const logins = namesIn(value);
  const unknown = logins.find((login) => (repository.people.get(login)?.role ?? 'none') === 'none');
  if (unknown !== undefined) throw validationFailed('Issue', 'assignees', 'invalid', `Could not assign ${unknown}`);
  return logins;
}

interface Dated {
  readonly id: number;
  readonly created: string;
  readonly updated: string;
}

/** At or after: a second has room for several changes. */
function isSince({ updated }: Dated, query: URLSearchParams): boolean {
  const since = query.get('since');
  return since === null || Date.parse(updated) >= Date.parse(since);
}

function sorted<T extends Dated>(all: readonly T[], sort: string, direction: string): readonly T[] {
  const key = (one: T) => (sort === 'updated' ? one.updated : one.created);
  const ascending = all.toSorted((left, right) => key(left).localeCompare(key(right)) || left.id - right.id);
  return direction === 'asc' ? ascending : ascending.toReversed();
}
