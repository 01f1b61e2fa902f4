import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeGithub, Moment } from '../github/fake-github.js';
import { startFakeGithub } from '../github/start.js';
import { asking, aTeam, type GithubUser, ourComments, userOf } from '../scenarios/support/github.js';
import { storeOf } from '../scenarios/support/runs.js';
import { isLong } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/* The program is killed at a request of a sync, before or after GitHub has carried it out; then it syncs again. */

const MOMENTS: readonly Moment[] = ['arrived', 'carried out'];
const STRIDE = isLong ? 1 : 4;
const ENGINEER = { env: { AGENTX_AGENT: 'engineer' } };

const ISSUES = ['Health endpoint', 'Orders', 'Search'].map((title) => ({ title, labels: ['type:feature'] }));

/** Rounds of three issues, which a sync has in hand at once, an escalation and an issue that GitHub knows nothing of. */
async function aFullOutbox(): Promise<string> {
  const answers = ['PostgreSQL.', 'Version 16.', 'Ten.', 'In cents.', 'By name.', 'By word.'];
  const { github, cwd, user } = await aTeam({ issues: ISSUES, answers });
  await user.run(asking('Database', 'Which one?'));
  await user.run(['clarify', 'follow-up', 'CLR-1-001', '-q', 'Which version?'], ENGINEER);
  await user.run(asking('Pool', 'How many?'));
  await user.run(['clarify', 'escalate', 'CLR-1-002', '-m', 'They disagree.']);
  const others: readonly (readonly string[])[] = [
    ['2', 'Prices'],
    ['2', 'Order'],
    ['3', 'Index'],
  ];
  for (const [issue = '', topic = ''] of others) {
    const parties = ['--issue', issue, '--from', 'engineer', '--to', 'architect'];
    const result = await user.run(['ask', ...parties, '--topic', topic, '-q', `What about ${topic}?`]);
    expect(result.status, result.stderr).toBe(0);
  }
  await github.stop();
  expect((await user.run(['issue', 'create', 'Written offline'])).status).toBe(0);
  return cwd;
}

describe('a sync with GitHub that is killed between any two requests', () => {
  it.each(MOMENTS)('here when one has %s, is made up for by the next one, once [US-7.2/10]', async (moment) => {
    const prepared = await aFullOutbox();
    let reached = 0;
    for (let at = 1 + Math.floor(Math.random() * STRIDE); await isKilled(prepared, { at, moment }); at += STRIDE) {
      reached += 1;
      expect(at).toBeLessThan(500);
    }
    expect(reached).toBeGreaterThan(isLong ? 5 : 0);
  });
});

interface Place {
  readonly at: number;
  readonly moment: Moment;
}

/** False once neither sync makes so many requests. */
async function isKilled(prepared: string, place: Place): Promise<boolean> {
  const where = `killed at request ${place.at}, ${place.moment}`;
  const github = await startFakeGithub();
  github.repository.person('ada', 'write');
  for (const issue of ISSUES) github.repository.createIssue(issue);
  const cwd = join(temporaryFolder(), 'repository');
  cpSync(prepared, cwd, { recursive: true });
  const user = userOf(cwd, github);
  const [question] = (await storeOf(cwd).questions.list()).items;
  const expected = [
    ['round:CLR-1-001/1', 'round:CLR-1-001/2', 'round:CLR-1-002/1', `question:${question?.id}`],
    ['round:CLR-2-001/1', 'round:CLR-2-002/1'],
    ['round:CLR-3-001/1'],
  ];

  const isFirstKilled = await killedSync(user, github, place);
  // As soon as people see the question, one of them answers: even if the program does not know yet that they see it.
  const isAnsweredEarly = namesOf(github)[0]?.includes(`question:${question?.id}`);
  if (isAnsweredEarly) github.repository.comment(1, 'ada', '/agentx answer a');
  expect((await user.sync()).status, where).toBe(0);
  expect(namesOf(github), where).toEqual(expected);
  expect(
    github.repository.issues.map(({ title }) => title),
    where,
  ).toEqual([...ISSUES.map(({ title }) => title), 'Written offline']);
  for (const number of [1, 2, 3]) {
    expect(github.repository.issue(number).labels, where).toEqual(['type:feature', 'clarification:active']);
  }

  if (!isAnsweredEarly) github.repository.comment(1, 'ada', '/agentx answer a');
  const isSecondKilled = await killedSync(user, github, place);
  expect((await user.sync()).status, where).toBe(0);
  expect(namesOf(github), where).toEqual(expected);
  const answered = (await storeOf(cwd).questions.list({})).items[0];
  expect(answered, where).toMatchObject({ status: 'resolved', responses: [{ optionIds: ['a'] }] });
  const [, record] = (await storeOf(cwd).ledgers.read(1)).clarifications;
  expect(
    record?.thread.map(({ type }) => type),
    where,
  ).toEqual(['question', 'answer', 'escalation', 'resolution']);

  const { length } = github.writes;
  await user.sync();
  expect(github.writes.slice(length), `${where}: nothing is left`).toEqual([]);
  return isFirstKilled || isSecondKilled;
}

async function killedSync(user: GithubUser, github: FakeGithub, { at, moment }: Place): Promise<boolean> {
  const before = github.requests.length;
  const child = user.spawn(['sync', '--json']);
  let isReached = false;
  github.interrupt = async (request, now) => {
    if (request.number !== before + at || now !== moment) return false;
    isReached = true;
    child.kill();
    await child.ended;
    return true;
  };
  const { status, stderr } = await child.ended;
  github.interrupt = undefined;
  expect(status, stderr).toBe(isReached ? null : 0);
  return isReached;
}

/** Those of each issue, in the order in which they were posted. */
function namesOf(github: FakeGithub): readonly (readonly string[])[] {
  return ISSUES.map((_, index) => ourComments(github, index + 1).map(({ name }) => name));
}
