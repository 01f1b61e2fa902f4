import { isObject, type Json, string } from '../wire/json.js';
import { mayWrite, type Person } from './people.js';
import type { Repository } from './repository.js';

/*
 * The part of GitHub's GraphQL that is about discussions. A request is held against the fields that GitHub publishes: what
 * it would not understand is told in words. It answers by the name of the operation.
 */

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly isAnswerable: boolean;
  /** For maintainers alone, such as announcements. */
  readonly isForMaintainers?: boolean;
}

export interface Discussion {
  readonly id: string;
  readonly number: number;
  readonly category: string;
  readonly author: Person;
  readonly title: string;
  body: string;
  readonly created: string;
}

export class Discussions {
  isEnabled = true;
  categories: readonly Category[] = [
    { id: 'DIC_1', name: 'Announcements', isAnswerable: false, isForMaintainers: true },
    { id: 'DIC_2', name: 'Q&A', isAnswerable: true },
    { id: 'DIC_3', name: 'General', isAnswerable: false },
  ];
  readonly all: Discussion[] = [];
}

/** By type, as GitHub describes it; a field with a type of its own is asked for its fields. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  query: { repository: 'Repository' },
  mutation: { createDiscussion: 'Payload', updateDiscussion: 'Payload' },
  Repository: { id: '', hasDiscussionsEnabled: '', discussionCategories: 'Categories', discussions: 'Discussions' },
  Categories: { nodes: 'Category' },
  Category: { id: '', name: '', slug: '', isAnswerable: '' },
  Discussions: { nodes: 'Discussion', pageInfo: 'PageInfo' },
  Discussion: { id: '', url: '', title: '', body: '', createdAt: '', author: 'Actor' },
  Actor: { login: '' },
  PageInfo: { hasNextPage: '', endCursor: '' },
  Payload: { discussion: 'Discussion' },
};
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  createDiscussion: ['repositoryId', 'categoryId', 'title', 'body'],
  updateDiscussion: ['discussionId', 'body'],
};

/** Why GitHub would not understand the query. */
export function queryProblems(query: string): readonly string[] {
  const kind = /^(query|mutation)\b/.exec(query)?.[1];
  if (kind === undefined) return ['GraphQL: neither a query nor a mutation'];
  const words: readonly string[] = query.replace(/\([^)]*\)/g, ' ').match(/[{}]|\w+/g) ?? [];
  const problems: string[] = [];
  const open: string[] = [];
  let next = kind;
  for (const word of words.slice(words.indexOf('{'))) {
    if (word === '{') open.push(next);
    else if (word === '}') open.pop();
    else {
      const type = FIELDS[open.at(-1) ?? '']?.[word];
      if (type === undefined) problems.push(`GraphQL: ${open.at(-1)} has no field '${word}'`);
      next = type ?? '';
    }
  }
  return open.length === 0 ? problems : [...problems, 'GraphQL: a brace is not closed'];
}

class GraphqlRefusal extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

export interface GraphqlCall {
  readonly repository: Repository;
  readonly viewer: Person;
  readonly url: string;
  readonly query: string;
  readonly variables: Json;
}

/** GitHub answers 200 in any case; what went wrong is in the answer. */
export function answerGraphql(call: GraphqlCall): Json {
  try {
    return { data: dataOf(call) };
  } catch (error) {
    if (!(error instanceof GraphqlRefusal)) throw error;
    return { data: null, errors: [{ type: error.type, path: [], message: error.message }] };
  }
}

function dataOf(call: GraphqlCall): Json {
  const { repository, query, variables } = call;
  const input = isObject(variables.input) ? variables.input : {};
  if (query.includes('createDiscussion(')) return { createDiscussion: { discussion: create(call, input) } };
  if (query.includes('updateDiscussion(')) return { updateDiscussion: { discussion: update(call, input) } };
  const { discussions, fullName } = repository;
  const name = `${string(variables.owner)}/${string(variables.name)}`;
  if (name.toLowerCase() !== fullName.toLowerCase()) {
    throw new GraphqlRefusal('NOT_FOUND', `Could not resolve to a Repository with the name '${name}'.`);
  }
  const all = discussions.all.toReversed();
  const start = Number(variables.after ?? 0);
  const nodes = all.slice(start, start + PAGE).map((one) => shapeOf(call, one));
  const slugOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return {
    repository: {
      id: `R_${repository.id}`,
      hasDiscussionsEnabled: discussions.isEnabled,
      discussionCategories: {
        nodes: discussions.isEnabled
          ? discussions.categories.map(({ isForMaintainers: _, ...one }) => ({ ...one, slug: slugOf(one.name) }))
          : [],
      },
      discussions: {
        nodes,
        pageInfo: { hasNextPage: start + PAGE < all.length, endCursor: String(start + PAGE) },
      },
    },
  };
}

const PAGE = 100;

function create(call: GraphqlCall, input: Json) {
  const { repository, viewer } = call;
  requireFields('createDiscussion', input);
  const { discussions } = repository;
  const category = discussions.categories.find(({ id }) => id === input.categoryId);
  if (input.repositoryId !== `R_${repository.id}` || category === undefined || !discussions.isEnabled) {
    throw new GraphqlRefusal('NOT_FOUND', `Could not resolve to a node with the global id of '${input.categoryId}'.`);
  }
  if (category.isForMaintainers === true && viewer.role !== 'admin' && viewer.role !== 'maintain') {
    throw new GraphqlRefusal('FORBIDDEN', `${viewer.login} does not have the correct permissions to execute this.`);
  }
  const number = discussions.all.length + 1;
  const discussion: Discussion = {
    id: `D_${number}`,
    number,
    category: category.name,
    author: viewer,
    title: string(input.title),
    body: string(input.body),
    created: repository.now(),
  };
  discussions.all.push(discussion);
  return shapeOf(call, discussion);
}

function update(call: GraphqlCall, input: Json) {
  requireFields('updateDiscussion', input);
  const discussion = call.repository.discussions.all.find(({ id }) => id === input.discussionId);
  if (discussion === undefined)
    throw new GraphqlRefusal('NOT_FOUND', 'Could not resolve to a node with the global id.');
  if (discussion.author.login !== call.viewer.login && !mayWrite(call.viewer)) {
    throw new GraphqlRefusal(
      'FORBIDDEN',
      `${call.viewer.login} does not have the correct permissions to execute this.`,
    );
  }
  discussion.body = string(input.body);
  return shapeOf(call, discussion);
}

function requireFields(mutation: string, input: Json): void {
  const requiredInputs = INPUTS[mutation] ?? [];
  const inputNames = Object.keys(input);
  const wrong = [
    ...requiredInputs.filter((key) => typeof input[key] !== 'string'),
    ...inputNames.filter((key) => !requiredInputs.includes(key)),
  ];
  if (wrong.length > 0) throw new GraphqlRefusal('UNPROCESSABLE', `Variable $input is invalid: ${wrong.join(', ')}`);
}

function shapeOf({ repository, url }: GraphqlCall, { id, number, title, body, created, author }: Discussion) {
  const address = `${url.replace(/\/$/, '')}/${repository.fullName}/discussions/${number}`;
  return { id, url: address, title, body, createdAt: created, author: { login: author.login } };
}
