import { expect, onTestFinished } from 'vitest';
import { FakeGithub, type FakeGithubOptions } from './fake-github.js';

/** Runs until the test is over, which then fails if a request or a response was none of GitHub's. */
export async function startFakeGithub(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  const github = new FakeGithub(options);
  await github.start();
  onTestFinished(async () => {
    await github.stop();
    expect(github.violations, 'what GitHub would not have taken, or given').toEqual([]);
  });
  return github;
}
