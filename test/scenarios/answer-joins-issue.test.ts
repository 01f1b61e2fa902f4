import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentx, aRepository, askArguments } from './support/agentx.js';
import { openInbox } from './support/inbox.js';
import { storeOf } from './support/runs.js';

const PEOPLE = '[agents.architect]\nrunner = "human"\n';
const ASK = askArguments('Database', 'Which?');

/** An escalation, and an agent's own question. */
async function twoQuestions(): Promise<{ readonly cwd: string; readonly ids: readonly string[] }> {
  const cwd = await aRepository({ config: PEOPLE, issues: [{ title: 'Store orders' }] });
  expect(agentx(cwd, ASK).status).toBe(3);
  const at = new Date().toISOString();
  await (await openInbox(cwd)).ask({ parts: [{ id: 'q1', text: 'How long are logs kept?', createdAt: at }] });
  return { cwd, ids: (await storeOf(cwd).questions.list({ status: 'open' })).items.map(({ id }) => id) };
}

describe('an answer that could not join its issue', () => {
  it('is shown by the doctor, and joins with the next sweep, an escalation as well', async () => {
    const { cwd, ids } = await twoQuestions();
    expect(ids).toHaveLength(2);
    const path = join(cwd, '.agentx/issues/1.json');
    const issue = readFileSync(path, 'utf8');
    writeFileSync(path, '{ half of it');
    for (const id of ids) {
      const { status, stdout } = agentx(cwd, ['inbox', 'answer', id, '-m', `Decided ${id}`]);
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(`${id} is answered.`) });
    }
    expect((await storeOf(cwd).ledgers.read(1)).clarifications).toMatchObject([{ status: 'resolved' }]);
    const { stdout } = agentx(cwd, ['doctor']);
    for (const id of ids) expect(stdout).toContain(`.agentx/state/questions/${id}.json`);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('not done yet: its part in the conversation of the issue.');

    writeFileSync(path, issue);
    expect(agentx(cwd, ['ready']).status).toBe(0);
    const { comments = [] } = (await storeOf(cwd).issues.read(1)) ?? {};
    expect(comments.map(({ questionId }) => questionId).toSorted()).toEqual([...ids].toSorted());
    expect(agentx(cwd, ['doctor']).stdout).toMatch(/^All \d+ files are in order\./);
    expect(agentx(cwd, ['ready']).status).toBe(0);
    expect((await storeOf(cwd).issues.read(1))?.comments).toHaveLength(2);
  });

  it('is nothing that the doctor sees where it has joined', async () => {
    const { cwd, ids } = await twoQuestions();
    for (const id of ids) expect(agentx(cwd, ['inbox', 'answer', id, '-m', 'Yes']).status).toBe(0);
    expect(agentx(cwd, ['doctor']).stdout).toMatch(/^All \d+ files are in order\./);
  });

  it.each(['decline', 'dismiss'])('is nothing that the doctor sees after %s either', async (verb) => {
    const { cwd, ids } = await twoQuestions();
    for (const id of ids) expect(agentx(cwd, ['inbox', verb, id]).status).toBe(0);
    expect(agentx(cwd, ['doctor']).stdout).toMatch(/^All \d+ files are in order\./);
    expect((await storeOf(cwd).assumptions.read(1)).assumptions_made).toHaveLength(2);
  });
});

describe('an answer that could not reach its clarification', () => {
  it('is said to be kept, and reaches it with the next sweep', async () => {
    const { cwd } = await twoQuestions();
    const { items } = await storeOf(cwd).questions.list({ status: 'open' });
    const [{ id = '' } = {}] = items.filter(({ kind }) => kind === 'escalation');
    const lock = join(cwd, '.agentx/state/clarifications/issue-1.json.lock');
    mkdirSync(lock);
    const { status, stderr } = agentx(cwd, ['inbox', 'answer', id, '-m', 'Postgres']);
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^${id} has ended with what you said; .*\\nerror: Cannot lock`));

    rmdirSync(lock);
    expect(agentx(cwd, ['ready']).status).toBe(0);
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications.map(({ status, thread }) => [status, thread.at(-1)?.body])).toEqual([
      ['resolved', 'Postgres'],
    ]);
  });
});
