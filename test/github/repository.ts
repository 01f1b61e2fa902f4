import { Discussions } from './discussions.js';
import type { Person, Role } from './people.js';

/* What GitHub keeps of one repository, and what people do there in their browsers. */

export interface Comment {
  readonly id: number;
  readonly issue: number;
  readonly author: Person;
  body: string;
  readonly created: string;
  updated: string;
}

export interface Issue {
  readonly id: number;
  readonly number: number;
  readonly author: Person;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: string | null;
  labels: readonly string[];
  assignees: readonly string[];
  isLocked: boolean;
  isDeleted: boolean;
  /** Where it was transferred to. */
  movedTo?: { readonly repository: Repository; readonly number: number };
  readonly isPullRequest: boolean;
  readonly created: string;
  updated: string;
  closed: string | null;
}

export interface Label {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

export interface NewIssue {
  readonly title: string;
  readonly body?: string | null | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly by?: string | undefined;
  readonly isPullRequest?: boolean | undefined;
}

export class Repository {
  readonly labels: Label[] = [];
  readonly issues: Issue[] = [];
  readonly comments: Comment[] = [];
  readonly discussions = new Discussions();
  readonly people = new Map<string, Person>();
  readonly hiddenMembers = new Set<string>();
  owner: string;
  name: string;
  /** What it was called before. */
  readonly formerNames: string[] = [];
  hasIssues = true;
  isArchived = false;
  #lastId = 1000;

  constructor(
    fullName: string,
    readonly id = 1296269,
  ) {
    const [owner = '', name = ''] = fullName.split('/');
    this.owner = owner;
    this.name = name;
    this.person(owner, 'admin');
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`;
  }

  person(login: string, role: Role, type: Person['type'] = 'User'): Person {
    const person = { login, id: this.people.get(login)?.id ?? this.#nextId(), type, role };
    this.people.set(login, person);
    return person;
  }

  personNamed(login: string): Person {
    return this.people.get(login) ?? this.person(login, 'none');
  }

  createIssue({ title, body = null, labels = [], assignees = [], by = this.owner, ...rest }: NewIssue): Issue {
    const now = this.now();
    const issue: Issue = {
      id: this.#nextId(),
      number: this.issues.length + 1,
      author: this.personNamed(by),
      title,
      body,
      state: 'open',
      stateReason: null,
      labels: [],
      assignees,
      isLocked: false,
      isDeleted: false,
      isPullRequest: rest.isPullRequest ?? false,
      created: now,
      updated: now,
      closed: null,
    };
    this.issues.push(issue);
    this.addLabels(issue, labels);
    return issue;
  }

  issue(number: number): Issue {
    const issue = this.issues.find((one) => one.number === number);
    if (issue === undefined) throw new Error(`There is no issue ${number}.`);
    return issue;
  }

  /** A person writes in the browser, which sends lines as forms do. */
  comment(issue: number, by: string, body: string): Comment {
    return this.addComment(this.issue(issue), this.personNamed(by), body.replace(/\r?\n/g, '\r\n'));
  }

  addComment(issue: Issue, author: Person, body: string): Comment {
    const now = this.now();
    const comment = { id: this.#nextId(), issue: issue.number, author, body, created: now, updated: now };
    this.comments.push(comment);
    issue.updated = now;
    return comment;
  }

  editComment(comment: Comment, body: string): void {
    comment.body = body;
    comment.updated = this.now();
    this.issue(comment.issue).updated = comment.updated;
  }

  commentsOn(issue: number): readonly Comment[] {
    return this.comments.filter((comment) => comment.issue === issue);
  }

  setState(issue: Issue, state: Issue['state'], reason: string | null = null): void {
    if (issue.state === state) return;
    issue.state = state;
    issue.stateReason = reason ?? (state === 'closed' ? 'completed' : 'reopened');
    issue.closed = state === 'closed' ? this.now() : null;
    this.touch(issue);
  }

  /** A label that does not exist yet comes into being, as on GitHub. */
  addLabels(issue: Issue, names: readonly string[]): void {
    for (const name of names) {
      const label = this.labelNamed(name) ?? this.createLabel({ name });
      if (!issue.labels.includes(label.name)) issue.labels = [...issue.labels, label.name];
    }
    if (names.length > 0) this.touch(issue);
  }

  removeLabel(issue: Issue, name: string): void {
    issue.labels = issue.labels.filter((label) => label !== name);
    this.touch(issue);
  }

  createLabel({ name, color = 'ededed', description = null }: Pick<Label, 'name'> & Partial<Label>): Label {
    const label = { id: this.#nextId(), name, color, description };
    this.labels.push(label);
    return label;
  }

  labelNamed(name: string): Label | undefined {
    return this.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
  }

  rename(name: string): void {
    this.formerNames.push(this.fullName);
    this.name = name;
  }

  /** It has another number there, and is in no list here. */
  transfer(issue: Issue, repository: Repository): void {
    const { title, body, labels } = issue;
    issue.movedTo = { repository, number: repository.createIssue({ title, body, labels }).number };
  }

  touch(issue: Issue): void {
    issue.updated = this.now();
  }

  /** Whole seconds, as all times on GitHub. */
  now(): string {
    return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
