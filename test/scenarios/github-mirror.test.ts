import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aClarification } from '../builders/clarification.js';
import { until } from '../support/until.js';
import { asking, aTeam, ourComments, type Team } from './support/github.js';

const AS_ENGINEER = { env: { AGENTX_AGENT: 'engineer' } };

const namesOf = ({ github }: Team) => ourComments(github).map(({ name }) => name);
const labelsOf = ({ github }: Team) => github.repository.issue(1).labels.filter((label) => label.startsWith('clar'));

describe('a clarification in GitHub mode', () => {
  it('shows each round as one comment, which is edited and never repeated, and its label as long as it is open [US-7.2/1] [US-7.2/2] [US-7.2/5]', async () => {
    const team = await aTeam();
    const { github, user } = team;
    expect(labelsOf(team)).toEqual([]);
    expect((await user.run(asking('Database', 'Which one?\nAnd why?'))).status).toBe(0);
    await user.sync();
    const [first] = ourComments(github);
    expect(namesOf(team)).toEqual(['round:CLR-1-001/1']);
    expect(first?.body).toMatch(/engineer.*architect/i);
    for (const text of ['CLR-1-001', 'Database', '> Which one?\n> And why?', '> PostgreSQL.']) {
      expect(first?.body).toContain(text);
    }
    expect(labelsOf(team)).toEqual(['clarification:active']);

    expect((await user.run(['clarify', 'follow-up', 'CLR-1-001', '-q', 'Which version?'], AS_ENGINEER)).status).toBe(0);
    await user.sync();
    expect(namesOf(team)).toEqual(['round:CLR-1-001/1', 'round:CLR-1-001/2']);
    expect(ourComments(github)[1]?.body).toContain('> Version 16.');

    expect((await user.run(['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.'], AS_ENGINEER)).status).toBe(0);
    await user.sync();
    expect(namesOf(team)).toEqual(['round:CLR-1-001/1', 'round:CLR-1-001/2']);
    expect(ourComments(github).map(({ body }) => /resolved/i.test(body))).toContain(true);
    expect(labelsOf(team)).toEqual([]);
    expect(github.repository.issue(1).labels).toEqual(['type:feature']);

    const { length } = github.writes;
    await user.sync();
    expect(github.writes).toHaveLength(length);
  });

  it('is labelled as stale from the end of its time until it is answered [US-7.2/3]', async () => {
    const team = await aTeam({ answers: ['Late, but here.'] });
    const { user, cwd } = team;
    const folder = join(cwd, '.agentx/state/clarifications');
    mkdirSync(folder, { recursive: true });
    const ledger = { issueNumber: 1, clarifications: [aClarification({ id: 'CLR-1-001' })] };
    writeFileSync(join(folder, 'issue-1.json'), JSON.stringify(ledger));
    expect((await user.run(['clarify', 'stale', '--no-retry'])).stdout).toContain('CLR-1-001');
    await user.sync();
    expect(labelsOf(team)).toEqual(['clarification:active', 'clarification:stale']);
    expect((await user.run(['clarify'])).status).toBe(0);
    await user.sync();
    expect(labelsOf(team)).toEqual(['clarification:active']);
    expect(namesOf(team)).toEqual(['round:CLR-1-001/1']);
    expect(ourComments(team.github)[0]?.body).toContain('> Late, but here.');
  });

  it('loses a label that a process put on before it was killed', async () => {
    const team = await aTeam({ answers: ['Late, but here.'] });
    const { user, cwd, github } = team;
    const folder = join(cwd, '.agentx/state/clarifications');
    mkdirSync(folder, { recursive: true });
    const keep = (record: ReturnType<typeof aClarification>) =>
      writeFileSync(join(folder, 'issue-1.json'), JSON.stringify({ issueNumber: 1, clarifications: [record] }));
    keep(aClarification({ id: 'CLR-1-001', staleAfter: '2999-01-01T00:00:00.000Z' }));
    await user.sync();
    keep(aClarification({ id: 'CLR-1-001' }));
    const child = user.spawn(['sync', '--json']);
    github.interrupt = async ({ operation }, moment) => {
      if (!/^POST .*labels$/.test(operation) || moment !== 'carried out') return false;
      child.kill();
      await child.ended;
      return true;
    };
    expect((await child.ended).status).toBeNull();
    github.interrupt = undefined;
    expect(labelsOf(team)).toEqual(['clarification:active', 'clarification:stale']);
    await user.sync();
    expect((await user.run(['clarify'])).status).toBe(0);
    await user.sync();
    expect(labelsOf(team)).toEqual(['clarification:active']);
  });

  it('puts a label on again that a person took off, and takes off none that it did not put on', async () => {
    const team = await aTeam();
    const { user, github } = team;
    const { repository } = github;
    await user.run(asking('Database', 'Which one?'));
    await user.sync();
    repository.removeLabel(repository.issue(1), 'clarification:active');
    // Another machine that works on the issue may have put it on.
    repository.addLabels(repository.issue(1), ['clarification:stale', 'help wanted']);
    await user.sync();
    expect(labelsOf(team).toSorted()).toEqual(['clarification:active', 'clarification:stale']);
    await user.run(['clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.'], AS_ENGINEER);
    await user.sync();
    expect(labelsOf(team)).toEqual(['clarification:stale']);
    expect(repository.issue(1).labels).toContain('help wanted');
  });

  it('reaches GitHub by itself, beside the command that wrote it', async () => {
    const { github, user } = await aTeam();
    expect((await user.run(asking('Database', 'Which one?'), { env: { AGENTX_GITHUB_SYNC: '' } })).status).toBe(0);
    await until(() => github.repository.issue(1).labels.includes('clarification:active'));
    // The process that does it has ended when another one can.
    await user.sync();
    expect(ourComments(github).map(({ name }) => name)).toEqual(['round:CLR-1-001/1']);
  });
});
