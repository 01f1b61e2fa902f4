import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { abuseLimit, type FaultRule, primaryLimit, secondaryLimit, serverError } from '../github/faults.js';
import { Repository } from '../github/repository.js';
import { TOKEN } from '../github/token.js';
import { until } from '../support/until.js';
import { asking, aTeam, ourComments, type Team } from './support/github.js';

const POSTED = /^POST .*\/comments$/;
const ROUND = ['round:CLR-1-001/1'];
const namesOf = ({ github }: Team) => ourComments(github).map(({ name }) => name);

/** Nothing below the folder may know the token. */
function expectNoToken(cwd: string): void {
  const folder = join(cwd, '.agentx');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) expect(readFileSync(path, 'latin1').includes(TOKEN), name).toBe(false);
  }
}

interface Trouble {
  readonly fault: FaultRule;
  /** What the program says of it. */
  readonly words: RegExp;
}

/** One after the other, each with a round that is to be posted. */
async function meetAll(troubles: readonly Trouble[]): Promise<void> {
  const team = await aTeam({ answers: troubles.map((_, index) => `Answer ${index}.`) });
  const { github, user, cwd } = team;
  const expected: string[] = [];
  for (const [index, { fault, words }] of troubles.entries()) {
    const where = JSON.stringify(fault);
    await user.run(asking(`Topic ${index}`, `What of ${index}?`));
    github.fail(fault);
    const { stdout, stderr } = await user.sync();
    expect(stdout + stderr, where).toMatch(words);
    expect(stdout + stderr, where).not.toContain(TOKEN);
    if (fault.times === undefined) expect(namesOf(team), where).toEqual(expected);
    github.faults.clear();
    expected.push(`round:CLR-1-${String(index + 1).padStart(3, '0')}/1`);
    // A limit has to pass first.
    await until(async () => (await user.sync()).status === 0);
    expect(namesOf(team), where).toEqual(expected);
  }
  expect(github.repository.issue(1).labels).toEqual(['type:feature', 'clarification:active']);
  expectNoToken(cwd);
}

describe('GitHub that is away', () => {
  it('stops no local work, and gets everything later, in order and once [US-7.2/10]', async () => {
    const team = await aTeam({ answers: ['One.', 'Two.', 'Three.'] });
    const { github, user, cwd } = team;
    const port = Number(new URL(github.url).port);
    await github.stop();
    const online = { env: { AGENTX_GITHUB_SYNC: '' } };
    for (const topic of ['Alpha', 'Beta', 'Gamma']) {
      expect((await user.run(asking(topic, `What of ${topic}?`), online)).status).toBe(0);
    }
    expect((await user.run(['ready'], online)).status).toBe(0);
    expect((await user.run(['issue', 'comment', '1', '-b', 'Written on a train.'], online)).status).toBe(0);
    expect((await user.run(['issue', 'list'], online)).stdout).toContain('Health endpoint');
    const created = await user.run(['issue', 'create', 'Invented on a train', '-b', 'By @ada.', '--json'], online);
    expect(created.status, created.stderr).toBe(0);
    expect(created.json()).toMatchObject({
      number: null,
      title: 'Invented on a train',
      why: expect.stringContaining('reached'),
    });
    const told = await user.run(['issue', 'create', 'Invented on a boat'], online);
    expect(told.status).toBe(0);
    expect(told.stdout).toContain('Kept here: Invented on a boat');
    expect(told.stderr).toContain('It has no number yet. GitHub cannot be reached');
    expect((await user.run(['issue', 'list'], online)).stdout).toMatch(
      /draft [\w-]{8} {2}Invented on a train {2}\(not on GitHub yet\)\ndraft [\w-]{8} {2}Invented on a boat/,
    );
    expect((await user.run(['issue', 'list', '--json'], online)).json()).toMatchObject({
      drafts: [{ title: 'Invented on a train' }, { title: 'Invented on a boat' }],
    });
    const away = await user.sync();
    expect(away.status).toBe(1);
    expect(away.stdout + away.stderr).toMatch(/GitHub/);

    await github.start(port);
    expect((await user.sync()).status).toBe(0);
    await user.sync();
    const rounds = namesOf(team).filter((name) => name.startsWith('round:'));
    expect(rounds).toEqual([1, 2, 3].map((number) => `round:CLR-1-00${number}/1`));
    const written = github.repository.commentsOn(1).filter(({ body }) => body.includes('Written on a train.'));
    expect(written).toHaveLength(1);
    expect(github.repository.issues.map(({ title }) => title)).toEqual([
      'Health endpoint',
      'Invented on a train',
      'Invented on a boat',
    ]);
    expect((await user.run(['issue', 'list', '--json'])).json()).not.toHaveProperty('drafts');
    expectNoToken(cwd);
  });

  it('by its own decision loses nothing, posts nothing twice, and is told of in words', async () => {
    const forbidden = 'Resource not accessible by integration';
    await meetAll([
      { fault: { ...serverError(500), on: POSTED }, words: /500/ },
      { fault: { ...secondaryLimit(5), on: POSTED }, words: /secondary rate limit/ },
      { fault: { ...abuseLimit(5), on: POSTED }, words: /abuse/ },
      { fault: primaryLimit(5), words: /rate limit/ },
      { fault: { kind: 'status', status: 403, message: forbidden, on: POSTED }, words: /write access/ },
      { fault: { kind: 'status', status: 401, message: 'Bad credentials' }, words: /GITHUB_TOKEN/ },
      { fault: { kind: 'status', status: 404, message: 'Not Found' }, words: /octocat\/shop/ },
    ]);
  });

  it('for a draft by its own decision keeps it, says why, and gets it once', async () => {
    const { github, user } = await aTeam();
    github.fail({ kind: 'hang-up', on: /^POST .*issues$/, times: 1 });
    expect((await user.run(['issue', 'create', 'Export'])).stdout).toContain('Kept here: Export');
    const message = 'Resource not accessible by integration';
    github.fail({ kind: 'status', status: 403, message, on: /^POST .*issues$/, times: 1 });
    expect((await user.sync()).json()).toMatchObject({ unsent: [{ why: expect.stringContaining(message) }] });
    expect((await user.run(['issue', 'list'])).stdout).toMatch(/Export {2}\(not on GitHub yet: .*not accessible/);
    expect((await user.sync()).json()).toMatchObject({ sent: 1, unsent: [] });
    expect(github.repository.issues.map(({ title }) => title)).toEqual(['Health endpoint', 'Export']);
  });

  it('behind a bad line loses nothing and posts nothing twice [US-7.2/10]', async () => {
    await meetAll([
      { fault: { kind: 'hang-up', on: POSTED }, words: /reached/ },
      { fault: { kind: 'lost response', on: POSTED, times: 1 }, words: /reached/ },
      { fault: { kind: 'half a response', on: POSTED, times: 1 }, words: /GitHub/ },
      // Nothing is missing where the half would be of a list that did not change.
      { fault: { kind: 'half a response', on: /^GET/, times: 1 }, words: /octocat/ },
      { fault: { kind: 'nonsense', body: '<html>Log in to the Wi-Fi</html>' }, words: /GitHub/ },
    ]);
  });

  it('with a renamed repository says its new name, and goes on there once that is configured', async () => {
    const team = await aTeam({ answers: ['One.'] });
    const { github, user, cwd } = team;
    await user.run(asking('Alpha', 'What of it?'));
    github.repository.rename('store');
    const renamed = await user.sync();
    expect(renamed.status).not.toBe(0);
    expect(renamed.stdout + renamed.stderr).toContain('octocat/store');
    expect(namesOf(team)).toEqual([]);
    const path = join(cwd, '.agentx/config.toml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('octocat/shop', 'octocat/store'));
    const after = await user.sync();
    expect(after.status, after.stderr).toBe(0);
    expect(namesOf(team)).toEqual(ROUND);
  });

  it('with a deleted issue, a locked one, or a text that is too long goes on with the rest', async () => {
    const team = await aTeam({
      issues: [{ title: 'Deleted' }, { title: 'Locked' }, { title: 'Fine', labels: ['type:feature'] }],
      answers: ['One.', 'Two.', 'Three.'],
      viewer: { login: 'agentx-bot', role: 'triage' },
    });
    const { github, user } = team;
    const ask = (issue: number) =>
      user.run(asking('Alpha', 'What of it?').map((word) => (word === '1' ? String(issue) : word)));
    for (const issue of [1, 2, 3]) expect((await ask(issue)).status).toBe(0);
    github.repository.issue(1).isDeleted = true;
    github.repository.issue(2).isLocked = true;
    const { stdout, stderr } = await user.sync();
    expect(stdout + stderr).toMatch(/locked/i);
    expect(ourComments(github, 3).map(({ name }) => name)).toEqual(['round:CLR-3-001/1']);
    expect(github.repository.commentsOn(1)).toEqual([]);
    github.repository.issue(2).isLocked = false;
    await user.sync();
    expect(ourComments(github, 2).map(({ name }) => name)).toEqual(['round:CLR-2-001/1']);
    expect((await user.run(['clarify', '--issue', '1', '--json'])).json()).toMatchObject({
      clarifications: [{ id: 'CLR-1-001', status: 'answered' }],
    });
  });

  it('with a transferred issue says where it is, closes it here and goes on with the rest', async () => {
    const team = await aTeam({
      issues: [{ title: 'Transferred' }, { title: 'Transferred too' }, { title: 'Fine', labels: ['type:feature'] }],
      answers: ['One.', 'Two.', 'Three.'],
    });
    const { github, user } = team;
    const { repository } = github;
    const ask = (issue: number) =>
      user.run(asking('Alpha', 'What of it?').map((word) => (word === '1' ? String(issue) : word)));
    for (const issue of [1, 2, 3]) expect((await ask(issue)).status).toBe(0);
    const other = new Repository('octocat/attic', 4711);
    other.createIssue({ title: 'Older' });
    github.others.push(other);
    repository.transfer(repository.issue(1), other);
    repository.transfer(repository.issue(2), other);
    // What belongs to an issue is not found any more, or leads there as well.
    const location = `${github.url}/repositories/4711/issues/2/comments`;
    const moved = { status: 307, message: 'Moved Permanently', headers: { location } };
    github.fail({ kind: 'status', ...moved, on: /^POST .*comments$/, times: 1 });

    const report = await user.sync();
    expect(report.status, report.stderr).toBe(0);
    expect(report.json()).toMatchObject({
      gone: [
        { issueNumber: 1, movedTo: 'octocat/attic#2' },
        { issueNumber: 2, movedTo: 'octocat/attic#3' },
      ],
      unsent: [],
    });
    expect(ourComments(github, 3).map(({ name }) => name)).toEqual(['round:CLR-3-001/1']);
    expect(other.comments).toEqual([]);
    const shown = await user.run(['issue', 'show', '2']);
    expect(shown.stdout).toMatch(/closed/i);
    expect(shown.stdout).toContain('Transferred on GitHub to octocat/attic#3.');
    expect((await user.run(['clarify', '--issue', '1', '--json'])).json()).toMatchObject({
      clarifications: [{ id: 'CLR-1-001', status: 'answered' }],
    });
    const { length } = github.requests;
    expect((await user.run(['sync'])).stdout).not.toContain('attic');
    expect(github.requests.slice(length).filter(({ path }) => /issues\/[12]\b/.test(path))).toEqual([]);
  });
});
