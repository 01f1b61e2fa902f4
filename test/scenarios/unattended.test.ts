import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, PATIENCE_MS, spawnAgentx, startAgentx } from './support/agentx.js';
import { aRunnable, eventsOf, fileOf, letTimeRunOut, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const ASKS = `open_questions: [{ text: 'Which database?', options: [{ id: 'a', label: 'PostgreSQL' }, { id: 'b', label: 'SQLite' }],
  fallback: { optionId: 'b', reasoning: 'one machine' } }]`;

/** An engineer that asks once, with a fallback, and writes down what was decided. */
async function anAsking({ minutes = 60, before = '' } = {}): Promise<string> {
  return aRunnable({
    steps: '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "engineer"',
    config: `${commandAgent('engineer')}`,
    files: {
      'engineer.mjs': agentProgram(`
        const [answer] = brief.answers;
        appendFileSync('turns', brief.step.turn + '\\n');
        if (!answer) reply({ ${ASKS} });
        else {
          ${before}
          reply({ artifacts: [{ path: 'database.txt', content: answer.answer + ' ' + answer.outcome }] });
        }
      `),
      '.agentx/config.toml': `project = "shop"\n[human]\nfallback_minutes = ${minutes}\n${commandAgent('engineer')}`,
    },
  });
}

async function askFirst(cwd: string): Promise<string> {
  for (const started = performance.now(); performance.now() - started < PATIENCE_MS; await sleep(20)) {
    const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    if (question !== undefined) return question.id;
  }
  throw new Error('No agent has asked anything.');
}

describe('an unattended run', () => {
  it('says by when what is taken without an answer, and what happens then', async () => {
    const cwd = await anAsking();
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(3);
    const { expiresAt } = (await storeOf(cwd).questions.read(await askFirst(cwd))) ?? {};
    expect(stdout).toContain(
      `  Without an answer by ${expiresAt}, the fallback is taken: b) SQLite. The run does not wait: afterwards, go on ` +
        'with agentx run 1; a running agentx serve does so by itself.\n',
    );
    expect(stdout).toContain(`Waits for you until ${expiresAt}: agentx inbox, then: agentx run 1\n`);
    const again = agentx(cwd, ['run', '1', '--json']);
    expect(eventsOf(again).at(-1)?.text).toContain(`Without an answer by ${expiresAt}: b) SQLite`);
  });

  it('stays with --wait until the fallback is taken, and goes on with it', async () => {
    const cwd = await anAsking();
    const running = startAgentx(cwd, ['run', '1', '--wait']);
    await until(async () => (await storeOf(cwd).runs.read(1))?.status === 'paused');
    await letTimeRunOut(cwd, await askFirst(cwd));
    const { status, stdout } = await running;
    expect(status).toBe(0);
    expect(stdout).toContain('The run waits, and goes on with what is decided.');
    expect(stdout).toContain('Nobody answered in time; the fallback is taken: SQLite');
    expect(fileOf(cwd, 'database.txt')).toBe('SQLite fallback_applied');
  });

  it('stays with --wait until a person has answered, from anywhere, also in --json', async () => {
    const cwd = await anAsking();
    const run = spawnAgentx(cwd, ['run', '1', '--wait', '--json']);
    const id = await askFirst(cwd);
    expect((await startAgentx(cwd, ['inbox', 'answer', id, '--option', 'a'])).status).toBe(0);
    const result = await run.ended;
    expect(result.status).toBe(0);
    expect(eventsOf(result).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['run-paused', 'run-resumed', 'run-finished']),
    );
    expect(fileOf(cwd, 'database.txt')).toBe('PostgreSQL answered');
  });
});

describe('a run that paused, while agentx serve is up', () => {
  it('goes on by itself when its fallback is taken', async () => {
    const cwd = await anAsking({ minutes: 0.02 });
    const server = await startServer(cwd);
    const client = await server.listen();
    await startAgentx(cwd, ['run', '1']);
    await client.until('run.updated', { status: 'done' });
    expect(fileOf(cwd, 'database.txt')).toBe('SQLite fallback_applied');
    expect(fileOf(cwd, 'turns')).toBe('1\n2\n');
    expect(await server.stop()).toBe(0);
  });

  it('goes on, whichever process took the fallback, also before a server was there, and once with two servers', async () => {
    const cwd = await anAsking();
    expect((await startAgentx(cwd, ['run', '1'])).status).toBe(3);
    await letTimeRunOut(cwd, await askFirst(cwd));
    agentx(cwd, ['inbox']);
    const servers = await Promise.all([startServer(cwd), startServer(cwd)]);
    await untilThere(cwd, 'database.txt');
    expect(fileOf(cwd, 'turns')).toBe('1\n2\n');
    for (const server of servers) expect(await server.stop()).toBe(0);
  });

  it('goes on when a person answers on the command line, and agentx run tells how it ends', async () => {
    const cwd = await anAsking({ before: "appendFileSync('again', '');await until('go');" });
    const server = await startServer(cwd);
    expect((await startAgentx(cwd, ['run', '1'])).status).toBe(3);
    expect((await startAgentx(cwd, ['inbox', 'answer', await askFirst(cwd), '--option', 'a'])).status).toBe(0);
    await untilThere(cwd, 'again');
    const watching = spawnAgentx(cwd, ['run', '1']);
    await sleep(500);
    letGo(cwd);
    const { status, stderr } = await watching.ended;
    expect({ status, turns: fileOf(cwd, 'turns') }).toEqual({ status: 0, turns: '1\n2\n' });
    if (stderr !== '') expect(stderr).toContain(`is run by agentx serve, process ${server.pid} on`);
    expect(await server.stop()).toBe(0);
  });

  it('is left to agentx run where the server is told so', async () => {
    const cwd = await anAsking();
    const server = await startServer(cwd, { args: ['--no-run'] });
    expect((await startAgentx(cwd, ['run', '1'])).status).toBe(3);
    const client = await server.listen();
    await letTimeRunOut(cwd, await askFirst(cwd));
    await client.until('run.updated', { goOn: 'agentx run 1' });
    await sleep(5_000);
    expect(existsSync(join(cwd, 'database.txt'))).toBe(false);
    expect((await startAgentx(cwd, ['run', '1'])).status).toBe(0);
  });

  it('can be stopped with the server in the middle, and goes on later', async () => {
    const cwd = await anAsking({ before: "appendFileSync('again', '');await until('go');" });
    const server = await startServer(cwd);
    expect((await startAgentx(cwd, ['run', '1'])).status).toBe(3);
    await letTimeRunOut(cwd, await askFirst(cwd));
    await untilThere(cwd, 'again');
    expect(await server.stop()).toBe(0);
    expect(agentx(cwd, ['watch']).stdout).toMatch(/#1 +story +interrupted .*go on: agentx run 1/);
    letGo(cwd);
    expect((await startAgentx(cwd, ['run', '1'])).status).toBe(0);
    expect(fileOf(cwd, 'database.txt')).toBe('SQLite fallback_applied');
  });

  it('is told to clients as interrupted when its process is killed', async () => {
    const cwd = await anAsking({ before: "appendFileSync('again', '');await until('go');" });
    const server = await startServer(cwd);
    const client = await server.listen();
    const run = spawnAgentx(cwd, ['run', '1', '--wait']);
    expect((await startAgentx(cwd, ['inbox', 'answer', await askFirst(cwd), '--option', 'a'])).status).toBe(0);
    await untilThere(cwd, 'again');
    await client.until('run.updated', { status: 'running' });
    run.kill();
    expect(await client.until('run.updated', { status: 'interrupted' })).toMatchObject({ goOn: 'agentx run 1' });
    expect((await server.call('GET', '/agents')).body).toMatchObject({
      agents: { engineer: { status: 'interrupted' } },
    });
  });
});
