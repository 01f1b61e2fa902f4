import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/protocol/issue.js';
import { startFakeGithub } from '../github/start.js';
import { TOKEN } from '../github/token.js';
import { aGithubRepository, asking, aTeam, ourComments, userOf } from './support/github.js';

/** Every file with what changes when it is written; when GitHub was last asked is no content. */
function filesOf(cwd: string): Readonly<Record<string, string>> {
  const folder = join(cwd, '.agentx');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && name !== 'state/github/checked',
  );
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const { ino, size, mtimeMs } = statSync(join(folder, name));
      return [name, `${ino} ${size} ${mtimeMs}`];
    }),
  );
}

function issueFile(cwd: string, number: number): Issue {
  return JSON.parse(readFileSync(join(cwd, `.agentx/issues/${number}.json`), 'utf8'));
}

describe('a sync with GitHub', () => {
  it('takes pages of a hundred at first, then one request and no write while nothing is new', async () => {
    const github = await startFakeGithub();
    for (let number = 1; number <= 1000; number++) {
      const { repository } = github;
      const issue = repository.createIssue({
        title: `Issue ${number}`,
        labels: ['type:bug'],
        body: `Text of ${number}`,
      });
      issue.updated = new Date(1_760_000_000_000 + number * 1000).toISOString().replace('.000Z', 'Z');
    }
    const cwd = await aGithubRepository();
    const user = userOf(cwd, github);
    expect((await user.sync()).json()).toMatchObject({ received: 1000, sent: 0 });
    const pages = github.requests.filter(({ operation }) => operation === 'GET /repos/{owner}/{repo}/issues');
    expect(pages.length).toBeGreaterThanOrEqual(10);
    expect(pages.length).toBeLessThanOrEqual(12);
    for (const { query } of pages) expect(query.per_page).toBe('100');
    expect(issueFile(cwd, 1000)).toMatchObject({ number: 1000, title: 'Issue 1000', labels: ['type:bug'] });

    // What changed a moment ago is looked at once more.
    await user.sync();
    const { length } = github.requests;
    const before = filesOf(cwd);
    expect((await user.sync()).json()).toMatchObject({ received: 0, sent: 0 });
    expect(github.requests.slice(length)).toMatchObject([
      { operation: 'GET /repos/{owner}/{repo}/issues', status: 304 },
    ]);
    expect(filesOf(cwd)).toEqual(before);
    expect((await user.run(['issue', 'list', '--json'])).json()).toMatchObject({ issues: { length: 1000 } });
    expect(github.requests).toHaveLength(length + 1);
  });

  it('keeps a copy of labels, assignee, state and comments, and leaves out pull requests', async () => {
    const { github, cwd, user } = await aTeam({
      issues: [
        { title: 'Health', body: 'Blocked-by: #3', labels: ['type:bug', 'priority:p0'], assignees: ['octocat'] },
        { title: 'A pull request', isPullRequest: true },
        { title: 'Orders' },
      ],
    });
    expect(issueFile(cwd, 1)).toMatchObject({ title: 'Health', assignee: 'octocat', state: 'open' });
    expect((await user.run(['issue', 'list', '--json'])).json()).toMatchObject({
      issues: [{ number: 1 }, { number: 3 }],
    });
    expect((await user.run(['ready', '--json'])).json()).toMatchObject({ ready: [{ number: 3 }] });
    const { repository } = github;
    repository.setState(repository.issue(3), 'closed');
    repository.issue(1).title = 'Health endpoint';
    repository.removeLabel(repository.issue(1), 'priority:p0');
    repository.comment(1, 'passer-by', 'Any news?');
    await user.sync();
    expect((await user.run(['ready', '--json'])).json()).toMatchObject({
      ready: [{ number: 1, title: 'Health endpoint', labels: ['type:bug'] }],
    });
    expect(issueFile(cwd, 1).comments).toMatchObject([{ author: 'passer-by', body: expect.stringContaining('news') }]);
    expect(issueFile(cwd, 3)).toMatchObject({ state: 'closed' });
  });

  it('carries issue commands out on GitHub', async () => {
    const { github, user } = await aTeam();
    const { repository } = github;
    const created = await user.run([
      'issue',
      'create',
      '-t',
      'Orders',
      '-b',
      'Blocked-by: #1',
      '-l',
      'type:bug',
      '--json',
    ]);
    expect(created.json()).toMatchObject({ number: 2, title: 'Orders', labels: ['type:bug'] });
    expect(repository.issue(2)).toMatchObject({
      title: 'Orders',
      labels: ['type:bug'],
      author: { login: 'agentx-bot' },
    });
    expect((await user.run(['issue', 'comment', '2', '-b', 'Seen @ada.'])).status).toBe(0);
    expect((await user.run(['issue', 'close', '2'])).status).toBe(0);
    await user.sync();
    expect(repository.issue(2).state).toBe('closed');
    expect(repository.commentsOn(2).map(({ body }) => body)).toMatchObject([expect.stringContaining('Seen @ada.')]);
    expect((await user.run(['issue', 'reopen', '2'])).status).toBe(0);
    await user.sync();
    expect(repository.issue(2).state).toBe('open');
    expect(repository.commentsOn(2)).toHaveLength(1);
    expect(repository.issues).toHaveLength(2);
  });

  it('by two processes at once posts each round once', async () => {
    const { github, user } = await aTeam({ answers: ['One.', 'Two.', 'Three.'] });
    for (const topic of ['Alpha', 'Beta', 'Gamma']) await user.run(asking(topic, `What of ${topic}?`));
    const both = await Promise.all([user.sync(), user.sync(), user.sync()]);
    await user.sync();
    expect(ourComments(github).map(({ name }) => name)).toEqual([1, 2, 3].map((number) => `round:CLR-1-00${number}/1`));
    expect(github.repository.issue(1).labels).toEqual(['type:feature', 'clarification:active']);
    for (const { stdout, stderr } of both) expect(stdout + stderr).not.toContain(TOKEN);
  });
});
