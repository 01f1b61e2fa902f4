import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOKEN } from '../../test/github/fake-github.js';
import { startFakeGithub } from '../../test/github/start.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createApp } from '../app/create-app.js';

const WEEK = '2026-W09';
const GRAPHQL = /^POST \/graphql$/;

async function aProject({ category = '', path = '' } = {}) {
  const github = await startFakeGithub();
  github.repository.createIssue({ title: 'Health endpoint' });
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  const config = 'mode = "github"\nproject = "shop"\n[agents.architect]\nrunner = "human"\n[github]\n';
  writeFileSync(join(root, 'config.toml'), `${config}repo = "octocat/shop"\n${category}`);
  const env = { GITHUB_TOKEN: TOKEN, AGENTX_GITHUB_URL: `${github.url}${path}` };
  const app = createApp({ root, env });
  await app.syncGitHub();
  return { github, app, discussions: github.repository.discussions };
}

describe('a digest as a discussion', () => {
  it('is in the first category that takes it, once, and changes when it is posted again', async () => {
    const { github, app, discussions } = await aProject();
    await app.postDigest({ week: WEEK });
    expect((await app.unsent()).map(({ what }) => what)).toEqual([`the discussion 'Digest of ${WEEK}'`]);
    expect((await app.syncGitHub()).unsent).toEqual([]);
    expect(discussions.all).toMatchObject([{ category: 'General', title: `Digest of ${WEEK}` }]);
    const [{ body = '' } = {}] = discussions.all;
    expect(body).toMatch(/^<!-- agentx:digest:2026-W09:[0-9a-f]{16} -->\n/);
    expect(await app.digestDiscussion(WEEK)).toContain('/octocat/shop/discussions/1');

    await app.openAsk({ issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Database', question: 'Which one?' });
    const presentWeek = (await app.digest()).digest.week;
    await app.postDigest({});
    await app.syncGitHub();
    const before = discussions.all[1]?.body;
    await app.openAsk({ issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Cache', question: 'Which size?' });
    await app.postDigest({});
    await app.syncGitHub();
    expect(discussions.all.map(({ title }) => title)).toEqual([`Digest of ${WEEK}`, `Digest of ${presentWeek}`]);
    expect(discussions.all[1]?.body).not.toBe(before);
    expect(discussions.all[1]?.body.split('\n')[0]).toBe(before?.split('\n')[0]);
    const { length } = github.writes;
    await app.syncGitHub();
    expect(github.writes.slice(length)).toEqual([]);
  });

  it.each([
    ['lost response', 1],
    ['hang-up', 0],
    ['half a response', 1],
  ] as const)('is there once after a %s, however often it is tried', async (kind, there) => {
    const { github, app, discussions } = await aProject({ category: 'discussion_category = "general"\n' });
    await app.postDigest({ week: '2026-W08' });
    await app.syncGitHub();
    await app.postDigest({ week: WEEK });
    let count = 0;
    github.interrupt = (request, moment) => {
      const isCreate = JSON.stringify(request.body ?? '').includes('createDiscussion');
      if (moment === 'arrived' && isCreate && count++ === 0) github.fail({ kind, on: GRAPHQL, times: 1 });
      return false;
    };
    expect((await app.syncGitHub()).trouble?.message).toContain('GitHub');
    expect(discussions.all).toHaveLength(1 + there);
    await app.syncGitHub();
    await app.syncGitHub();
    expect(discussions.all.map(({ title }) => title)).toEqual(['Digest of 2026-W08', `Digest of ${WEEK}`]);
  });

  it('goes to the category of the settings, and says which there are', async () => {
    const { app, discussions } = await aProject({ category: 'discussion_category = "q-a"\n' });
    await app.postDigest({ week: WEEK });
    await app.syncGitHub();
    expect(discussions.all).toMatchObject([{ category: 'Q&A' }]);
    const other = await aProject({ category: 'discussion_category = "Weekly"\n' });
    const problem = /no category 'Weekly'.*Announcements, Q&A, General.*discussion_category/;
    await expect(other.app.postDigest({ week: WEEK })).rejects.toMatchObject({
      code: 'CONFIG_ERROR',
      message: expect.stringMatching(problem),
    });
    expect(await other.app.unsent()).toEqual([]);
  });

  it('says what to do where the repository has none, and keeps nothing', async () => {
    const { app, discussions } = await aProject();
    discussions.isEnabled = false;
    const refusal = { code: 'INVALID_STATE', message: expect.stringMatching(/no discussions.*settings.*--post 42/) };
    await expect(app.postDigest({ week: WEEK })).rejects.toMatchObject(refusal);
    expect(await app.unsent()).toEqual([]);
    expect((await app.syncGitHub()).unsent).toEqual([]);
  });

  it('waits for GitHub, and for discussions that were switched off meanwhile', async () => {
    const { github, app, discussions } = await aProject();
    github.fail({ kind: 'status', status: 401, message: 'Bad credentials', on: GRAPHQL, times: 1 });
    await expect(app.postDigest({ week: WEEK })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    github.fail({ kind: 'hang-up', on: GRAPHQL });
    await app.postDigest({ week: WEEK });
    expect((await app.syncGitHub()).trouble?.message).toContain('reached');
    github.faults.clear();
    discussions.isEnabled = false;
    const { unsent, trouble } = await app.syncGitHub();
    expect(trouble).toBeUndefined();
    expect(unsent).toMatchObject([
      { what: `the discussion 'Digest of ${WEEK}'`, why: expect.stringContaining('settings') },
    ]);
    discussions.isEnabled = true;
    // Posting it again is a wish to have it tried now.
    await app.postDigest({ week: WEEK });
    expect((await app.syncGitHub()).unsent).toEqual([]);
    expect(discussions.all).toHaveLength(1);
  });

  it('is not posted again after a person deleted it, and reaches GitHub Enterprise', async () => {
    const { github, app, discussions } = await aProject({ path: '/api/v3' });
    await app.postDigest({});
    await app.syncGitHub();
    expect(discussions.all).toHaveLength(1);
    discussions.all.length = 0;
    await app.openAsk({ issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Database', question: 'Which one?' });
    await app.postDigest({});
    await app.syncGitHub();
    expect((await app.syncGitHub()).unsent).toEqual([]);
    expect(discussions.all).toEqual([]);
    expect(github.violations).toEqual([]);
  });
});
