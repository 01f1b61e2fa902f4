import { Octokit } from '@octokit/core';
import { describe, expect, it } from 'vitest';
import { OPERATION_NAMES } from './github/description.js';
import { FakeGithub } from './github/fake-github.js';
import { abuseLimit, primaryLimit, secondaryLimit, serverError } from './github/faults.js';
import { ROUTES } from './github/routes.js';
import { startFakeGithub } from './github/start.js';
import { TOKEN } from './github/token.js';

/* The fake that scenarios use, held against what GitHub publishes, through a real client. */

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const on = { owner: 'octocat', repo: 'shop' };

function octokitFor({ url }: FakeGithub, auth = TOKEN): Octokit {
  return new Octokit({ auth, baseUrl: url, userAgent: 'contract-test', log: quiet });
}

async function refusalOf(work: Promise<unknown>) {
  const refused: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refused instanceof Error) || !('status' in refused)) throw new Error(`Not refused: ${String(refused)}`);
  return { status: refused.status, message: refused.message };
}

describe('the fake GitHub', () => {
  it('has a route for every described operation and for no other', () => {
    expect(Object.keys(ROUTES).toSorted()).toEqual(OPERATION_NAMES.toSorted());
  });

  it('keeps issues, comments and labels, in responses that fit the description', async () => {
    const github = await startFakeGithub();
    const octokit = octokitFor(github);
    github.repository.createIssue({ title: 'A pull request', isPullRequest: true });
    const body = { title: 'Health', body: 'Blocked-by: #1', labels: ['type:bug'], assignees: ['octocat'] };
    const { data: issue } = await octokit.request('POST /repos/{owner}/{repo}/issues', { ...on, ...body });
    const at = { ...on, issue_number: issue.number };
    const { data: comment } = await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...at,
      body: 'One.',
    });
    await octokit.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
      ...on,
      comment_id: comment.id,
      body: 'Two.',
    });
    await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
      ...at,
      labels: ['clarification:active', 'type:bug'],
    });
    await octokit.request('DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}', {
      ...at,
      name: 'type:bug',
    });
    await octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
      ...at,
      state: 'closed',
      state_reason: 'not_planned',
    });
    await octokit.request('POST /repos/{owner}/{repo}/labels', { ...on, name: 'fresh', color: 'ff0000' });
    const { data: all } = await octokit.request('GET /repos/{owner}/{repo}/issues', { ...on, state: 'all' });
    const { data: comments } = await octokit.request('GET /repos/{owner}/{repo}/issues/comments', on);
    const { data: own } = await octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', at);
    const { data: repository } = await octokit.request('GET /repos/{owner}/{repo}', on);

    expect(all.map(({ number, pull_request }) => [number, pull_request !== undefined])).toEqual([
      [2, false],
      [1, true],
    ]);
    expect(all[0]).toMatchObject({ state: 'closed', comments: 1, assignee: { login: 'octocat' } });
    expect(all[0]?.labels).toMatchObject([{ name: 'clarification:active' }]);
    expect(comments).toMatchObject([
      { body: 'Two.', user: { login: 'agentx-bot' }, author_association: 'COLLABORATOR' },
    ]);
    expect(own).toEqual(comments);
    expect(repository).toMatchObject({ full_name: 'octocat/shop', permissions: { push: true, admin: false } });
  });

  it('cuts lists into pages, which it links by the number of the repository', async () => {
    const github = await startFakeGithub();
    for (let number = 1; number <= 205; number++) github.repository.createIssue({ title: `Issue ${number}` });
    const octokit = octokitFor(github);
    const numbers: number[] = [];
    let next: string | undefined = '/repos/octocat/shop/issues?state=all&direction=asc&per_page=100';
    while (next !== undefined && numbers.length < 1_000) {
      const response: { data: { number: number }[]; headers: { link?: string } } = await octokit.request(`GET ${next}`);
      numbers.push(...response.data.map(({ number }) => number));
      next = /<([^>]+)>; rel="next"/.exec(response.headers.link ?? '')?.[1];
    }
    expect(numbers).toEqual(Array.from({ length: 205 }, (_, index) => index + 1));
    expect(github.requests.map(({ path }) => path)).toEqual(Array(3).fill('/repos/octocat/shop/issues'));
    expect(github.requests).toHaveLength(3);
  });

  it('answers 304, free of charge, to what did not change, and 200 after it did', async () => {
    const github = await startFakeGithub();
    const issue = github.repository.createIssue({ title: 'Health' });
    const octokit = octokitFor(github);
    const list = (etag?: string) =>
      octokit.request('GET /repos/{owner}/{repo}/issues', {
        ...on,
        since: issue.updated,
        headers: etag === undefined ? {} : { 'if-none-match': etag },
      });
    const { headers } = await list();
    const used = github.used;
    expect(await refusalOf(list(headers.etag))).toMatchObject({ status: 304 });
    expect(github.used).toBe(used);
    github.repository.comment(1, 'ada', 'Hello');
    expect((await list(headers.etag)).data).toMatchObject([{ comments: 1 }]);
  });

  it('refuses what GitHub refuses', async () => {
    const github = await startFakeGithub({ viewer: { login: 'guest', role: 'read' } });
    const { repository } = github;
    repository.createIssue({ title: 'Gone' }).isDeleted = true;
    repository.createIssue({ title: 'Locked' }).isLocked = true;
    repository.createIssue({ title: 'Open' });
    const octokit = octokitFor(github);
    const comment = (issue_number: number, body: string) =>
      refusalOf(
        octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...on, issue_number, body }),
      );
    expect(await comment(1, 'Hello')).toMatchObject({ status: 410 });
    expect(await comment(2, 'Hello')).toMatchObject({ status: 403, message: expect.stringContaining('locked') });
    expect(await comment(3, 'x'.repeat(65_537))).toMatchObject({ status: 422 });
    expect(await comment(3, ' \n')).toMatchObject({ status: 422 });
    expect(await comment(4, 'Hello')).toMatchObject({ status: 404 });
    const labels = { ...on, issue_number: 3, labels: ['clarification:active'] };
    expect(
      await refusalOf(octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', labels)),
    ).toMatchObject({ status: 403 });
    const permission = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
    expect(await refusalOf(octokit.request(permission, { ...on, username: 'octocat' }))).toMatchObject({ status: 403 });
    const wrongToken = octokitFor(github, 'ghp_other');
    expect(await refusalOf(wrongToken.request('GET /repos/{owner}/{repo}', on))).toMatchObject({ status: 401 });
    const other = { owner: 'octocat', repo: 'other' };
    expect(await refusalOf(octokit.request('GET /repos/{owner}/{repo}', other))).toMatchObject({ status: 404 });
    expect(repository.comments).toEqual([]);
  });

  it('tells a permission by its older word and by the name of the role', async () => {
    const github = await startFakeGithub();
    github.repository.person('maria', 'maintain');
    github.repository.person('tim', 'triage');
    const octokit = octokitFor(github);
    const permissionOf = async (username: string) =>
      (await octokit.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', { ...on, username }))
        .data;
    expect(await permissionOf('maria')).toMatchObject({ permission: 'write', role_name: 'maintain' });
    expect(await permissionOf('tim')).toMatchObject({ permission: 'read', role_name: 'triage' });
    expect(await refusalOf(permissionOf('no-such-user'))).toMatchObject({ status: 404 });
  });

  it('sends clients of a renamed repository on, and carries out there what they send', async () => {
    const github = await startFakeGithub();
    github.repository.createIssue({ title: 'Health' });
    github.repository.rename('store');
    const octokit = octokitFor(github);
    const { data } = await octokit.request('GET /repos/{owner}/{repo}', on);
    await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...on,
      issue_number: 1,
      body: 'Hello',
    });
    expect(data.full_name).toBe('octocat/store');
    expect(github.repository.comments).toMatchObject([{ body: 'Hello' }]);
    expect(github.requests.map(({ status }) => status)).toEqual([301, 200, 307, 201]);
  });

  it('fails on demand: refused, not carried out, or carried out without a word', async () => {
    const github = await startFakeGithub();
    github.repository.createIssue({ title: 'Health' });
    const octokit = octokitFor(github);
    const comment = (body: string) =>
      octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...on, issue_number: 1, body });
    for (const fault of [primaryLimit(60), secondaryLimit(7), abuseLimit(7), serverError(502)]) {
      github.fail({ ...fault, times: 1 });
      expect(await refusalOf(comment('refused'))).toMatchObject({ status: fault.kind === 'status' && fault.status });
    }
    github.fail({ kind: 'hang-up', times: 1 });
    await expect(comment('hung up')).rejects.toThrow();
    github.fail({ kind: 'lost response', times: 1 });
    await expect(comment('lost')).rejects.toThrow();
    github.fail({ kind: 'half a response', times: 1 });
    // The client hides it: its users must look at what came.
    expect(await comment('half')).toMatchObject({ status: 201, data: '' });
    await comment('whole');
    expect(github.repository.comments.map(({ body }) => body)).toEqual(['lost', 'half', 'whole']);
  });

  it('lists what GitHub would not understand', async () => {
    const github = new FakeGithub();
    await github.start();
    try {
      const octokit = octokitFor(github);
      github.repository.createIssue({ title: 'Health' });
      const list = '/repos/octocat/shop/issues';
      for (const address of [
        `${list}?perpage=5`,
        `${list}?state=done`,
        `${list}?per_page=many`,
        '/repos/octocat/shop/zen',
      ]) {
        await expect(octokit.request(`GET ${address}`)).rejects.toThrow();
      }
      await expect(octokit.request(`POST ${list}/1/comments`, { text: 'Hello' })).rejects.toThrow();
      await expect(octokit.request(`POST ${list}`, { title: 'Health', label: 'x' })).rejects.toThrow();
      expect(github.violations).toEqual([
        "GET /repos/{owner}/{repo}/issues has no parameter 'perpage'",
        "GET /repos/{owner}/{repo}/issues parameter 'state' must be equal to one of the allowed values",
        "GET /repos/{owner}/{repo}/issues parameter 'per_page' must be integer",
        'No such operation in the description: GET /repos/octocat/shop/zen',
        "POST /repos/{owner}/{repo}/issues/{issue_number}/comments body must have required property 'body'",
        'POST /repos/{owner}/{repo}/issues/{issue_number}/comments body must NOT have additional properties',
        'POST /repos/{owner}/{repo}/issues body must NOT have additional properties',
      ]);
      expect(github.repository.comments).toEqual([]);
      expect(github.repository.issues).toHaveLength(1);
    } finally {
      await github.stop();
    }
  });
});
