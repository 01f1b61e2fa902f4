import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FakeGithub, type SeenRequest, TOKEN } from '../../test/github/fake-github.js';
import { startFakeGithub } from '../../test/github/start.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { until } from '../../test/support/until.js';
import type { App } from '../app/app.js';
import { createApp } from '../app/create-app.js';

/*
 * Two people work on one repository of GitHub, each with a folder of their own, on machines that know nothing of each
 * other.
 */

const CONFIG = 'mode = "github"\nproject = "shop"\n[github]\nrepo = "octocat/shop"\n[clarify]\nretry_seconds = 0\n';

function aMachine(github: FakeGithub): App {
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  writeFileSync(join(root, 'config.toml'), CONFIG);
  const env = { GITHUB_TOKEN: TOKEN, AGENTX_GITHUB_URL: github.url };
  return createApp({ root, env, runners: { architect: () => 'It depends.' } });
}

async function twoMachines() {
  const github = await startFakeGithub();
  github.repository.createIssue({ title: 'Health endpoint', labels: ['type:story'] });
  const [first, second] = [aMachine(github), aMachine(github)];
  const sync = async () => {
    for (const app of [first, second]) expect((await app.syncGitHub()).trouble).toBeUndefined();
  };
  await sync();
  return { github, first, second, sync };
}

const QUESTION = { issueNumber: 1, from: 'engineer', to: 'architect', question: 'Which one?' };
const active = ({ repository }: FakeGithub) => repository.issue(1).labels.includes('clarification:active');
const ours = ({ repository }: FakeGithub, kind: string) =>
  repository.commentsOn(1).filter(({ body }) => body.startsWith(`<!-- agentx:${kind}:`));

async function askHumans(app: App, text: string): Promise<string> {
  const { id } = await app.askHumans({
    issueNumber: 1,
    agent: 'engineer',
    source: 'execute',
    sourceId: '1',
    questions: [{ text, options: [{ label: 'Yes' }, { label: 'No' }] }],
  });
  return id;
}

describe('two machines with one repository', () => {
  it('each show their rounds once, and leave the label of the other on', async () => {
    const { github, first, second, sync } = await twoMachines();
    await first.openAsk({ ...QUESTION, topic: 'Database' });
    await sync();
    await second.openAsk({ ...QUESTION, topic: 'Cache' });
    await sync();
    expect(ours(github, 'round')).toHaveLength(2);
    expect(active(github)).toBe(true);
    const quiet = github.writes.length;
    await sync();
    await sync();
    expect(github.writes.slice(quiet)).toEqual([]);

    for (const app of [first, second]) {
      expect(active(github)).toBe(true);
      await app.route('CLR-1-001');
      await app.resolve({ clarificationId: 'CLR-1-001', by: 'engineer', body: 'Clear.' });
      await sync();
      await sync();
    }
    expect(active(github)).toBe(false);
    const last = github.writes.length;
    await sync();
    expect(github.writes.slice(last)).toEqual([]);
    expect(ours(github, 'round')).toHaveLength(2);
  });

  it('take the answer to their own question, and ask which one is meant if both ask', async () => {
    const { github, first, second, sync } = await twoMachines();
    const { repository } = github;
    const one = await askHumans(first, 'Keep the logs?');
    await second.openAsk({ ...QUESTION, topic: 'Cache' });
    await sync();
    repository.comment(1, repository.owner, `/agentx answer ${one} a`);
    // The machine that does not ask syncs first.
    await second.syncGitHub();
    await first.syncGitHub();
    expect(await first.showQuestion(one)).toMatchObject({ status: 'resolved', responses: [{ optionIds: ['a'] }] });
    expect(ours(github, 'reply')).toEqual([]);

    const third = await askHumans(first, 'Keep the traces?');
    const fourth = await askHumans(second, 'Keep the metrics?');
    await sync();
    repository.comment(1, repository.owner, '/agentx answer b');
    repository.comment(1, repository.owner, 'I would say no.');
    await sync();
    await sync();
    expect([await first.showQuestion(third), await second.showQuestion(fourth)]).toMatchObject([
      { status: 'open' },
      { status: 'open' },
    ]);
    const [reply, ...others] = ours(github, 'reply');
    expect(others).toEqual([]);
    for (const id of [third, fourth]) expect(reply?.body).toContain(`/agentx answer ${id}`);
  });

  it('say one polite sentence to a person who may not answer', async () => {
    const { github, first, second, sync } = await twoMachines();
    await askHumans(first, 'Keep the logs?');
    await askHumans(second, 'Keep the traces?');
    await sync();
    github.repository.comment(1, 'passer-by', '/agentx answer a');
    await sync();
    await sync();
    expect(ours(github, 'reply')).toMatchObject([{ body: expect.stringContaining('write access') }]);
  });

  it('say it once though both post it at the same moment, and stay quiet then', async () => {
    const { github, first, second } = await twoMachines();
    for (const app of [first, second]) await askHumans(app, 'Keep the logs?');
    for (const app of [first, second]) await app.syncGitHub();
    github.repository.comment(1, 'passer-by', '/agentx answer a');
    let arrivedCount = 0;
    const isReply = ({ operation, body }: SeenRequest) =>
      operation.startsWith('POST ') && JSON.stringify(body ?? '').includes('agentx:reply:');
    // Both machines look and find no reply before either of them posts one.
    github.interrupt = async (request, moment) => {
      if (moment === 'arrived' && isReply(request)) {
        arrivedCount += 1;
        await until(() => arrivedCount >= 2);
      }
      return false;
    };
    const reports = await Promise.all([first.syncGitHub(), second.syncGitHub()]);
    expect(arrivedCount).toBe(2);
    github.interrupt = undefined;
    expect(reports).toMatchObject([{ unsent: [] }, { unsent: [] }]);
    expect(ours(github, 'reply')).toMatchObject([{ body: expect.stringContaining('write access') }]);
    for (let round = 0; round < 2; round++) for (const app of [first, second]) await app.syncGitHub();
    const { length } = github.writes;
    for (let round = 0; round < 2; round++) for (const app of [first, second]) await app.syncGitHub();
    expect(github.writes.slice(length)).toEqual([]);
    expect(ours(github, 'reply')).toHaveLength(1);
  });

  it('say it once though one of them does not hear that its own was posted', async () => {
    const { github, first, second, sync } = await twoMachines();
    for (const app of [first, second]) await askHumans(app, 'Keep the logs?');
    await sync();
    github.repository.comment(1, 'passer-by', '/agentx answer a');
    let isOther = false;
    github.interrupt = async ({ operation, body }, moment) => {
      if (isOther || !operation.startsWith('POST ') || !JSON.stringify(body ?? '').includes('agentx:reply:'))
        return false;
      if (moment === 'carried out') return true;
      // The other machine posts after this one has looked.
      isOther = true;
      await second.syncGitHub();
      isOther = false;
      return false;
    };
    expect((await first.syncGitHub()).trouble).toBeDefined();
    github.interrupt = undefined;
    expect(ours(github, 'reply')).toHaveLength(2);
    await sync();
    expect(ours(github, 'reply')).toHaveLength(1);
  });
});
