import { type Person, permissionOf } from './people.js';
import type { Comment, Issue, Label, Repository } from './repository.js';

/* Records as GitHub tells them. The server holds every response against the published description. */

export interface Place {
  /** The address of the interface, `http://127.0.0.1:4711`. */
  readonly api: string;
  readonly repository: Repository;
}

export function userShape({ login, id, type }: Person, { api }: Place) {
  const url = `${api}/users/${login}`;
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: `https://avatars.example/u/${id}`,
    gravatar_id: '',
    url,
    html_url: `https://github.example/${login}`,
    ...Object.fromEntries(
      [
        ...['followers', 'following', 'gists', 'starred', 'subscriptions', 'organizations', 'repos', 'events'],
        'received_events',
      ].map((name) => [name === 'organizations' ? 'organizations_url' : `${name}_url`, `${url}/${name}`]),
    ),
    type,
    site_admin: false,
    user_view_type: 'public',
  };
}

export function issueShape(issue: Issue, place: Place) {
  const { repository, api } = place;
  const { number, id, title, body, state, stateReason, isLocked, created, updated, closed, author } = issue;
  const url = `${api}/repos/${repository.fullName}/issues/${number}`;
  const kind = issue.isPullRequest ? 'pull' : 'issues';
  const page = `https://github.example/${repository.fullName}/${kind}/${number}`;
  const assignees = issue.assignees.map((login) => userShape(repository.personNamed(login), place));
  return {
    url,
    repository_url: `${api}/repos/${repository.fullName}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: page,
    id,
    node_id: `I_${id}`,
    number,
    title,
    user: userShape(author, place),
    labels: issue.labels.map((name) => labelShape(labelOf(repository, name), place)),
    state,
    state_reason: stateReason,
    locked: isLocked,
    active_lock_reason: null,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: repository.commentsOn(number).length,
    created_at: created,
    updated_at: updated,
    closed_at: closed,
    author_association: associationOf(author, repository),
    body,
    ...(issue.isPullRequest && {
      pull_request: { url: url.replace('/issues/', '/pulls/'), html_url: page, diff_url: page, patch_url: page },
    }),
  };
}

export function commentShape({ id, issue, body, author, created, updated }: Comment, place: Place) {
  const { api, repository } = place;
  return {
    url: `${api}/repos/${repository.fullName}/issues/comments/${id}`,
    html_url: `https://github.example/${repository.fullName}/issues/${issue}#issuecomment-${id}`,
    issue_url: `${api}/repos/${repository.fullName}/issues/${issue}`,
    id,
    node_id: `IC_${id}`,
    user: userShape(author, place),
    created_at: created,
    updated_at: updated,
    body,
    author_association: associationOf(author, repository),
    performed_via_github_app: null,
  };
}

export function labelShape({ id, name, color, description }: Label, { api, repository }: Place) {
  const url = `${api}/repos/${repository.fullName}/labels/${encodeURIComponent(name)}`;
  return { id, node_id: `LA_${id}`, url, name, color, default: false, description };
}

export function permissionShape(person: Person, place: Place) {
  const { role } = person;
  const can = { admin: role === 'admin', maintain: ['admin', 'maintain'].includes(role) };
  const push = can.maintain || role === 'write';
  const permissions = { ...can, push, triage: push || role === 'triage', pull: true };
  const user = { ...userShape(person, place), role_name: role, permissions };
  return { permission: permissionOf(person), role_name: role, user };
}

export function repositoryShape(viewer: Person, place: Place) {
  const { repository, api } = place;
  const { id, name, fullName, owner } = repository;
  const url = `${api}/repos/${fullName}`;
  const { permissions } = permissionShape(viewer, place).user;
  const now = repository.now();
  const open = repository.issues.filter(({ state, isDeleted }) => state === 'open' && !isDeleted).length;
  return {
    id,
    node_id: `R_${id}`,
    name,
    full_name: fullName,
    owner: userShape(repository.personNamed(owner), place),
    private: false,
    html_url: `https://github.example/${fullName}`,
    description: null,
    fork: false,
    url,
    ...Object.fromEntries(REPOSITORY_URLS.map((name_) => [`${name_}_url`, `${url}/${name_}`])),
    homepage: null,
    language: null,
    mirror_url: null,
    license: null,
    default_branch: 'main',
    is_template: false,
    forks_count: 0,
    forks: 0,
    stargazers_count: 0,
    watchers_count: 0,
    watchers: 0,
    size: 1,
    open_issues_count: open,
    open_issues: open,
    subscribers_count: 0,
    network_count: 0,
    topics: [],
    has_issues: repository.hasIssues,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    has_downloads: true,
    archived: repository.isArchived,
    disabled: false,
    visibility: 'public',
    pushed_at: now,
    created_at: now,
    updated_at: now,
    permissions,
  };
}

const REPOSITORY_URLS = [
  ...['archive', 'assignees', 'blobs', 'branches', 'clone', 'collaborators', 'comments', 'commits', 'compare'],
  ...['contents', 'contributors', 'deployments', 'downloads', 'events', 'forks', 'git', 'git_commits', 'git_refs'],
  ...['git_tags', 'hooks', 'issue_comment', 'issue_events', 'issues', 'keys', 'labels', 'languages', 'merges'],
  ...['milestones', 'notifications', 'pulls', 'releases', 'ssh', 'stargazers', 'statuses', 'subscribers'],
  ...['subscription', 'svn', 'tags', 'teams', 'trees'],
];

function labelOf(repository: Repository, name: string): Label {
  const label = repository.labelNamed(name);
  if (label === undefined) throw new Error(`There is no label ${name}.`);
  return label;
}

/** A member who hides the membership of an organization is a contributor to others, whatever rights they have. */
function associationOf({ login, role }: Person, { owner, hiddenMembers }: Repository): string {
  if (login === owner) return 'OWNER';
  if (hiddenMembers.has(login)) return 'CONTRIBUTOR';
  return role === 'none' ? 'NONE' : 'COLLABORATOR';
}
