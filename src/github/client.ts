import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';
import type { RemoteComment } from '../protocol/github.js';
import { type ConnectionOptions, openConnection } from './connection.js';
import {
  CommentData,
  commentOf,
  IssueData,
  issueOf,
  LabelData,
  labelOf,
  Permission,
  parsed,
  type RemoteIssue,
  type RemoteRepository,
  Repository,
  type SentComment,
  sentCommentOf,
} from './remote-data.js';

/* Every request to GitHub, one function each: docs/github.md lists them. */

export interface IssuePage {
  readonly issues: readonly RemoteIssue[];
  readonly etag?: string;
}

interface Cursor {
  readonly since?: string | undefined;
  readonly page?: number;
}

export const PAGE_SIZE = 100;

export type GitHubClient = Awaited<ReturnType<typeof openClient>>;

export async function openClient(options: ConnectionOptions) {
  const { repo, request, read, graphql } = await openConnection(options);

  return {
    repo,
    graphql,

    async repository(): Promise<RemoteRepository> {
      const repositoryData = await read(Repository, 'the repository', 'GET /repos/{owner}/{repo}');
      const { full_name, has_issues = true, archived = false, permissions } = repositoryData;
      return {
        name: full_name,
        hasIssues: has_issues,
        isArchived: archived,
        isPrivate: repositoryData.private ?? false,
        ...(permissions && {
          mayWrite: permissions.push === true || permissions.admin === true || permissions.maintain === true,
        }),
      };
    },

    /** False if the repository has the label already. */
    async makeLabel(label: {
      readonly name: string;
      readonly color: string;
      readonly description: string;
    }): Promise<boolean> {
      try {
        await request(`the label ${label.name}`, 'POST /repos/{owner}/{repo}/labels', label);
        return true;
      } catch (error) {
        if (error instanceof AgentXError && /already_exists/.test(error.message)) return false;
        throw error;
      }
    },

    /** The issues that changed since then, oldest change first. */
    async issues({ since, page = 1 }: Cursor): Promise<readonly RemoteIssue[]> {
      const data = await read(z.array(IssueData), 'the issues', 'GET /repos/{owner}/{repo}/issues', {
        state: 'all',
        sort: 'updated',
        direction: 'asc',
        per_page: PAGE_SIZE,
        ...(since !== undefined && { since }),
        ...(page > 1 && { page }),
      });
      return data.map(issueOf);
    },

    /**
     * The issues that changed last, latest change first; undefined if nothing changed since the answer with this tag.
     */
    async latestIssues(etag: string | undefined): Promise<IssuePage | undefined> {
      try {
        const { data, headers } = await request('the issues', 'GET /repos/{owner}/{repo}/issues', {
          state: 'all',
          sort: 'updated',
          direction: 'desc',
          per_page: PAGE_SIZE,
          ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
        });
        const issues = parsed(z.array(IssueData), 'the issues', data).map(issueOf);
        return { issues, ...(headers.etag !== undefined && { etag: headers.etag }) };
      } catch (error) {
        if (error instanceof AgentXError && error.details.status === 304) return undefined;
        throw error;
      }
    },

    /** Comments on all issues, oldest change first. */
    async comments({ since, page = 1 }: Cursor): Promise<readonly RemoteComment[]> {
      const data = await read(z.array(CommentData), 'the comments', 'GET /repos/{owner}/{repo}/issues/comments', {
        sort: 'updated',
        direction: 'asc',
        per_page: PAGE_SIZE,
        ...(since !== undefined && { since }),
        ...(page > 1 && { page }),
      });
      return data.flatMap(commentOf);
    },

    async commentsOf(issue_number: number): Promise<readonly RemoteComment[]> {
      const all: RemoteComment[] = [];
      for (let page = 1; ; page++) {
        const what = `the comments on #${issue_number}`;
        const data = await read(
          z.array(CommentData),
          what,
          'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
          { issue_number, per_page: PAGE_SIZE, ...(page > 1 && { page }) },
        );
        all.push(...data.flatMap((comment) => commentOf({ issue_url: `/issues/${issue_number}`, ...comment })));
        if (data.length < PAGE_SIZE) return all;
      }
    },

    /** Throws if the issue is gone; the error says where it was transferred to, if GitHub tells. */
    async requireIssue(issue_number: number): Promise<void> {
      await request(`#${issue_number}`, 'GET /repos/{owner}/{repo}/issues/{issue_number}', { issue_number });
    },

    async createIssue(draft: { readonly title: string; readonly body: string; readonly labels: readonly string[] }) {
      return issueOf(await read(IssueData, 'the issue', 'POST /repos/{owner}/{repo}/issues', draft));
    },

    async setState(issue_number: number, state: 'open' | 'closed'): Promise<RemoteIssue> {
      const state_reason = state === 'closed' ? 'completed' : 'reopened';
      const route = 'PATCH /repos/{owner}/{repo}/issues/{issue_number}';
      return issueOf(await read(IssueData, `#${issue_number}`, route, { issue_number, state, state_reason }));
    },

    async comment(issue_number: number, body: string): Promise<SentComment> {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return sentCommentOf(await read(CommentData, `a comment on #${issue_number}`, route, { issue_number, body }));
    },

    async edit(issueNumber: number, comment_id: number, body: string): Promise<SentComment> {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      return sentCommentOf(await read(CommentData, `a comment on #${issueNumber}`, route, { comment_id, body }));
    },

    async removeComment(issueNumber: number, comment_id: number): Promise<void> {
      try {
        const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}';
        await request(`a comment on #${issueNumber}`, route, { comment_id });
      } catch (error) {
        // The comment is gone: another machine was quicker.
        if (!(error instanceof AgentXError) || error.details.status !== 404) throw error;
      }
    },

    /** Returns the labels that the issue has afterwards. */
    async addLabels(issue_number: number, labels: readonly string[]): Promise<readonly string[]> {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels';
      const data = await read(z.array(LabelData), `labels of #${issue_number}`, route, { issue_number, labels });
      return data.map(labelOf);
    },

    async removeLabel(issue_number: number, name: string): Promise<void> {
      try {
        const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}';
        await request(`the label ${name} of #${issue_number}`, route, { issue_number, name });
      } catch (error) {
        // The label is gone: a person was quicker.
        if (!(error instanceof AgentXError) || error.details.status !== 404) throw error;
      }
    },

    /** `admin`, `write`, `read` or `none`; undefined if the token may not ask. */
    async permissionOf(username: string): Promise<string | undefined> {
      try {
        const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
        return (await read(Permission, `the permission of ${username}`, route, { username })).permission;
      } catch (error) {
        if (!(error instanceof AgentXError)) throw error;
        if (error.details.status === 404) return 'none';
        if (error.details.status === 403 && error.details.retryAt === undefined) return undefined;
        throw error;
      }
    },
  };
}
