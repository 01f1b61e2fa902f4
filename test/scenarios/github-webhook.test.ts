import { describe, expect, it } from 'vitest';
import { commentDelivery, type Delivery, delivery } from '../github/delivery.js';
import { serverError } from '../github/faults.js';
import { until } from '../support/until.js';
import { asking, aTeam, ourComments, type Team } from './support/github.js';
import { storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const SECRET = 'a secret of the webhook';

async function anEscalation(): Promise<Team & { readonly id: string }> {
  const team = await aTeam();
  await team.user.run(asking('Database', 'Which one?'));
  await team.user.run(['clarify', 'escalate', 'CLR-1-001', '-m', 'They disagree.']);
  await team.user.sync();
  const [question] = (await storeOf(team.cwd).questions.list()).items;
  if (question === undefined) throw new Error('No question.');
  return { ...team, id: question.id };
}

const post = (url: string, { headers, body }: Delivery) =>
  fetch(`${url}/github/webhook`, { method: 'POST', headers: { ...headers }, body });

describe('the webhook', () => {
  it('takes an answer once, however often and by whatever way it comes, and nothing with a wrong signature', async () => {
    const { github, user, cwd, id } = await anEscalation();
    const env = { ...user.env, AGENTX_GITHUB_WEBHOOK_SECRET: SECRET };
    // The server looks at GitHub by itself, too: what it knows at first shall come by the webhook alone.
    github.fail(serverError());
    const server = await startServer(cwd, { env });
    const comment = github.repository.comment(1, 'ada', '/agentx answer b');
    const told = commentDelivery(github, comment, { secret: SECRET });
    const read = () => storeOf(cwd).questions.read(id);

    const forged = commentDelivery(github, comment, { secret: 'another' });
    expect((await post(server.url, forged)).status).toBe(401);
    const { 'x-hub-signature-256': _, ...unsigned } = told.headers;
    expect((await post(server.url, { ...told, headers: unsigned })).status).toBe(401);
    const changed = { ...told, body: told.body.replace('answer b', 'answer a') };
    expect((await post(server.url, changed)).status).toBe(401);
    expect(await read()).toMatchObject({ status: 'open', revision: 1 });
    github.faults.clear();

    expect((await post(server.url, delivery('ping', SECRET, { zen: 'Keep it simple.', hook_id: 1 }))).ok).toBe(true);
    expect((await post(server.url, delivery('issue_comment', SECRET, { action: 'created' }))).status).toBeLessThan(500);

    const answers = await Promise.all([post(server.url, told), post(server.url, told), user.sync()]);
    expect(answers.slice(0, 2).map((answer) => 'ok' in answer && answer.ok)).toEqual([true, true]);
    const answered = await until(async () => {
      const question = await read();
      return question?.status === 'resolved' && question;
    });
    expect(answered).toMatchObject({ responses: [{ optionIds: ['b'] }], answeredBy: { channel: 'github' } });
    expect((await post(server.url, told)).ok).toBe(true);
    expect((await post(server.url, commentDelivery(github, comment, { secret: SECRET, action: 'edited' }))).ok).toBe(
      true,
    );
    await server.stop();
    await user.sync();
    expect(await read()).toEqual(answered);
    const [record] = (await storeOf(cwd).ledgers.read(1)).clarifications;
    expect(record?.thread.filter(({ type }) => type === 'resolution')).toHaveLength(1);
    expect(ourComments(github).filter(({ name }) => name.startsWith('question:'))).toHaveLength(1);
  });

  it('is not there without a secret', async () => {
    const { github, user, cwd, id } = await anEscalation();
    github.fail(serverError());
    const server = await startServer(cwd, { env: { ...user.env } });
    const comment = github.repository.comment(1, 'ada', '/agentx answer b');
    const { status } = await post(server.url, commentDelivery(github, comment, { secret: '' }));
    expect(status).toBeGreaterThanOrEqual(400);
    await server.stop();
    expect(await storeOf(cwd).questions.read(id)).toMatchObject({ status: 'open' });
  });
});
