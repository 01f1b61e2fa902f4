import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/app/create-app.js';
import { TOKEN } from '../../../test/github/fake-github.js';
import { startFakeGithub } from '../../../test/github/start.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import { workBeside } from './beside.js';

it('exchanges changes with GitHub while a project is open', async () => {
  const github = await startFakeGithub();
  github.repository.createIssue({ title: 'Health endpoint' });
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  writeFileSync(join(root, 'config.toml'), 'mode = "github"\n[github]\nrepo = "octocat/shop"\n');
  const env = { GITHUB_TOKEN: TOKEN, AGENTX_GITHUB_URL: github.url };
  const app = createApp({ root, env, runners: { architect: () => 'SQLite.' } });
  const end = workBeside(app);
  await until(async () => (await app.issue(1)) !== undefined);
  await app.openAsk({ issueNumber: 1, from: 'engineer', to: 'architect', topic: 'Database', question: 'Which one?' });
  await until(() => github.repository.issue(1).labels.length === 1);
  expect(github.repository.commentsOn(1)).toHaveLength(1);
  await end();
  await app.close();
});
