import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { letGo } from './support/agents.js';
import { agentx, type RunningAgentx } from './support/agentx.js';
import { aRunnable, aRunUnderWay, fileOf, storeOf } from './support/runs.js';
import { startServer } from './support/server.js';

const STEPS = '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "engineer"';

const ENDS: readonly (readonly [string, (run: RunningAgentx) => void])[] = [
  ['kill -9', (run) => run.kill()],
  ['Ctrl-C', (run) => run.signal('SIGINT')],
];

describe('the board after a run was left', () => {
  it.each(ENDS)('by %s calls it interrupted everywhere, and says how it goes on', async (_, end) => {
    const { cwd, run } = await aRunUnderWay();
    expect(agentx(cwd, ['watch']).stdout).toMatch(/RUNS {2}1 under way\n +#1 +story +running/);
    expect(agentx(cwd, ['state']).stdout).toMatch(/engineer +working/);
    expect(agentx(cwd, ['ready', '--json']).json()).toEqual({ ready: [], blocked: [] });
    end(run);
    await run.ended;

    const board = agentx(cwd, ['watch']).stdout;
    expect(board).toMatch(/AGENTS {2}0 at work, 1 waiting\n +engineer +interrupted +#1 .*go on: agentx run 1\n/);
    expect(board).toMatch(
      /RUNS {2}0 under way, 1 interrupted\n +#1 +story +interrupted .*go on: agentx run 1; implement \(engineer\)\n/,
    );
    expect(agentx(cwd, ['state']).stdout).toMatch(/engineer +interrupted +#1 +go on: agentx run 1/);
    expect(agentx(cwd, ['ready']).stdout).toMatch(/#1 +story +Health endpoint +interrupted, go on: agentx run 1\n/);
    expect(agentx(cwd, ['watch', '--json']).json()).toMatchObject({ runs: [{ status: 'interrupted' }] });
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({ engineer: { status: 'interrupted' } });
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({
      ready: [{ number: 1, run: { status: 'interrupted', goOn: 'agentx run 1' } }],
    });
    const server = await startServer(cwd);
    expect((await server.call('GET', '/agents')).body).toMatchObject({
      agents: { engineer: { status: 'interrupted' } },
    });
    expect((await server.call('GET', '/runs')).body).toMatchObject({
      runs: [{ status: 'interrupted', goOn: 'agentx run 1' }],
    });
    await server.stop();

    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'health.js')).toBe('up');
    expect(agentx(cwd, ['watch']).stdout).toMatch(/RUNS {2}0 under way, 1 ended\n/);
    expect(agentx(cwd, ['state']).stdout).toMatch(/engineer +done/);
  });

  it('for people says who waits for them, and when the question has ended, that it has', async () => {
    const cwd = await aRunnable({
      steps: STEPS,
      script: `
        [[turns]]
        agent = "engineer"
        open_questions = ["SQLite or PostgreSQL?"]
        [[turns]]
        agent = "engineer"
        artifacts = [{ path = "health.js", content = "up" }]
      `,
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const [{ id = '' } = {}] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
    expect(agentx(cwd, ['state']).stdout).toMatch(
      new RegExp(`engineer +blocked-clarification +#1 +waits for you, ${id}`),
    );
    expect(agentx(cwd, ['watch']).stdout).toMatch(new RegExp(`#1 +story +paused .*waits for ${id}\\n`));
    expect(agentx(cwd, ['state', '--json']).json()).toMatchObject({
      engineer: { status: 'blocked-clarification', waitingOn: 'human', questionId: id },
    });
    expect(agentx(cwd, ['inbox', 'answer', id, '-m', 'SQLite']).status).toBe(0);
    const ended = `${id} has ended`;
    expect(agentx(cwd, ['watch']).stdout).toMatch(new RegExp(`#1 +story +paused .*go on: agentx run 1; ${ended}\\n`));
    expect(agentx(cwd, ['state']).stdout).toMatch(/engineer +paused +#1 +go on: agentx run 1/);
    expect(agentx(cwd, ['ready']).stdout).toMatch(new RegExp(`Health endpoint +${ended}, go on: agentx run 1\\n`));
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
  });
});

it('a run whose folder is moved away makes nothing in its place, says so, and goes on when it is back', async () => {
  const { cwd, run } = await aRunUnderWay();
  const folder = join(cwd, '.agentx');
  renameSync(folder, join(cwd, 'away'));
  letGo(cwd);
  const { status, stderr } = await run.ended;
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/^error: .*\bmeanwhile\b/m);
  expect(stderr).toContain(folder);
  expect(existsSync(folder)).toBe(false);

  renameSync(join(cwd, 'away'), folder);
  expect(agentx(cwd, ['run', '1']).status).toBe(0);
  expect(fileOf(cwd, 'health.js')).toBe('up');
});
