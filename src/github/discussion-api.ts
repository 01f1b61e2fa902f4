import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';
import type { GitHubClient } from './client.js';
import { GitHubFailure } from './failure.js';

/* The discussions of a repository. GitHub offers them only in GraphQL. */

interface Category {
  readonly id: string;
  readonly name: string;
}

export interface Forum {
  readonly repositoryId: string;
  /** The categories that a digest may go to, the best first. */
  readonly categories: readonly Category[];
}

export interface Discussion {
  /** Its id in GraphQL. */
  readonly node: string;
  readonly url: string;
  readonly created: string;
}

const FORUM = `query forum($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    id
    hasDiscussionsEnabled
    discussionCategories(first: 100) { nodes { id name slug isAnswerable } }
  }
}`;

const LATEST = `query latest($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    discussions(first: 100, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      nodes { id url body createdAt author { login } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

const CREATE = `mutation create($input: CreateDiscussionInput!) {
  createDiscussion(input: $input) { discussion { id url createdAt } }
}`;

const UPDATE = `mutation update($input: UpdateDiscussionInput!) {
  updateDiscussion(input: $input) { discussion { id url createdAt } }
}`;

const DiscussionData = z.looseObject({ id: z.string(), url: z.string(), createdAt: z.string() });
const ForumData = z.looseObject({
  repository: z.looseObject({
    id: z.string(),
    hasDiscussionsEnabled: z.boolean(),
    discussionCategories: z.looseObject({
      nodes: z.array(z.looseObject({ id: z.string(), name: z.string(), slug: z.string(), isAnswerable: z.boolean() })),
    }),
  }),
});
const LatestData = z.looseObject({
  repository: z.looseObject({
    discussions: z.looseObject({
      nodes: z.array(
        z.looseObject({
          ...DiscussionData.shape,
          body: z.string(),
          author: z.nullish(z.looseObject({ login: z.string() })),
        }),
      ),
      pageInfo: z.looseObject({ hasNextPage: z.boolean(), endCursor: z.nullish(z.string()) }),
    }),
  }),
});
const Created = z.looseObject({ createDiscussion: z.looseObject({ discussion: DiscussionData }) });
const Updated = z.looseObject({ updateDiscussion: z.looseObject({ discussion: DiscussionData }) });

const namesOf = ({ repo }: GitHubClient) => {
  const [owner = '', name = ''] = repo.split('/');
  return { owner, name };
};

/** Throws INVALID_STATE or CONFIG_ERROR, with what to do, if the repository has no place for a digest. */
export async function openForum(client: GitHubClient, category: string | undefined): Promise<Forum> {
  const { repository } = await client.graphql(ForumData, 'the discussions', FORUM, namesOf(client));
  const { repo } = client;
  if (!repository.hasDiscussionsEnabled) {
    const todo = 'Switch them on in its settings (General, Features), or post to an issue: agentx digest --post 42';
    throw new GitHubFailure('INVALID_STATE', `The repository ${repo} has no discussions. ${todo}`, 'issue', { repo });
  }
  const { nodes } = repository.discussionCategories;
  const categories =
    category === undefined
      ? nodes.toSorted((left, right) => Number(left.isAnswerable) - Number(right.isAnswerable))
      : nodes.filter(({ name, slug }) => [name, slug].some((one) => one.toLowerCase() === category.toLowerCase()));
  if (categories.length > 0) return { repositoryId: repository.id, categories };
  const names = nodes.map(({ name }) => name).join(', ');
  const problem = `There is no category${category === undefined ? '' : ` '${category}'`} in the discussions of ${repo}.`;
  const todo =
    names === ''
      ? 'Make one there.'
      : `There are: ${names}. Write one of them as discussion_category in [github] of .agentx/config.toml.`;
  throw new GitHubFailure('CONFIG_ERROR', `${problem} ${todo}`, 'issue', { repo });
}

/** Tries the categories in order: some are only for maintainers or polls, and only a try shows that. */
export async function createDiscussion(
  client: GitHubClient,
  { repositoryId, categories }: Forum,
  { title, body }: { readonly title: string; readonly body: string },
): Promise<Discussion> {
  let refusal: unknown;
  for (const { id: categoryId } of categories) {
    try {
      const input = { repositoryId, categoryId, title, body };
      const { createDiscussion: created } = await client.graphql(Created, 'the discussion', CREATE, { input });
      return discussionOf(created.discussion);
    } catch (error) {
      if (!(error instanceof GitHubFailure) || error.scope === 'everything') throw error;
      refusal ??= error;
    }
  }
  throw refusal ?? new AgentXError('INVALID_STATE', 'There is no category for the discussion.', {});
}

export async function updateDiscussion(client: GitHubClient, discussionId: string, body: string): Promise<Discussion> {
  const input = { discussionId, body };
  const { updateDiscussion: updated } = await client.graphql(Updated, 'the discussion', UPDATE, { input });
  return discussionOf(updated.discussion);
}

/** The latest discussion that fits and is not older than `since`. */
export async function findDiscussion(
  client: GitHubClient,
  since: string,
  isIt: (post: { readonly body: string; readonly login: string | undefined }) => boolean,
): Promise<(Discussion & { readonly body: string }) | undefined> {
  let after: string | null = null;
  for (;;) {
    const { nodes, pageInfo } = await latest(client, after);
    const match = nodes.find(({ body, author }) => isIt({ body, login: author?.login }));
    if (match !== undefined) return { ...discussionOf(match), body: match.body };
    const isOlder = nodes.some(({ createdAt }) => Date.parse(createdAt) < Date.parse(since) - CLOCKS_DIFFER_MS);
    if (isOlder || !pageInfo.hasNextPage) return undefined;
    after = pageInfo.endCursor ?? null;
  }
}

async function latest(client: GitHubClient, after: string | null) {
  const variables = { ...namesOf(client), after };
  return (await client.graphql(LatestData, 'the discussions', LATEST, variables)).repository.discussions;
}

/** How far GitHub's clock and the clock of this machine may differ. */
const CLOCKS_DIFFER_MS = 24 * 60 * 60_000;

const discussionOf = ({ id, url, createdAt }: z.output<typeof DiscussionData>): Discussion => ({
  node: id,
  url,
  created: createdAt,
});
