import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repetitions } from '../support/mode.js';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, aRepository, spawnAgentx, startAgentx } from './support/agentx.js';
import { aKillableRun, callsOf, outcomeOf, runAndKill } from './support/kill-run.js';
import { aRunnable, eventsOf, fileOf, storeOf } from './support/runs.js';

const KILLS = repetitions({ short: 12, long: 50 });
const BESIDES = 2;
/** For one run: each process lives longer than the one before, so a run that is still not over then goes in circles. */
const MOST_KILLS = 100;

describe('a run that is disturbed', () => {
  it(`ends as if undisturbed, however often it is killed (${KILLS} times)`, async () => {
    const undisturbed = await aKillableRun();
    const began = performance.now();
    await runAndKill(undisturbed, 100_000);
    const length = performance.now() - began;
    const expected = await outcomeOf(undisturbed);
    expect(expected.status).toBe('done');
    expect(expected.clarifications.map(({ topic, round }) => [topic, round])).toEqual([
      ['Colours', 1],
      ['Database', 2],
    ]);
    expect(expected.artifacts).toEqual(['prd', 'Colours: 1', 'adr', '2 again']);
    const calls = callsOf(undisturbed);

    let kills = 0;
    const disturb = async () => {
      for (let runs = 0; kills < KILLS && runs < 10 * KILLS; runs++) {
        const cwd = await aKillableRun();
        let own = 0;
        // A process that is killed before it got anywhere does not bring the run on: the later ones live longer.
        while (own < MOST_KILLS && (await runAndKill(cwd, Math.random() * length * (0.4 + own / 10)))) {
          own += 1;
          kills += 1;
        }
        expect(await outcomeOf(cwd)).toEqual(expected);
        const made = callsOf(cwd);
        expect(new Set(made)).toEqual(new Set(calls));
        // A kill loses what at most two agents were saying at that instant, and nothing that was recorded.
        expect(made.length).toBeLessThanOrEqual(calls.length + 2 * own);
      }
    };
    await Promise.all(Array.from({ length: BESIDES }, disturb));
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  });

  it('twenty runs of twenty issues at once, by agents that share names', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    const cwd = await aRunnable({
      steps: `
        [[steps]]
        id = "plan"
        title = "Plan"
        agent = "architect"
        [[steps]]
        id = "implement"
        title = "Implement"
        agent = "engineer"
        needs = ["plan"]
        can_clarify = ["architect"]
      `,
      script: `
        [[turns]]
        agent = "architect"
        kind = "work"
        delay_ms = 30
        [[turns]]
        agent = "engineer"
        clarify = [{ to = "architect", topic = "Database", question = "Which?" }]
        [[turns]]
        agent = "architect"
        kind = "answer"
        delay_ms = 30
        answer = "SQLite."
        [[turns]]
        agent = "engineer"
        status = "done"
      `,
      issues: numbers.map((number) => ({ title: `Issue ${number}` })),
    });
    const results = await Promise.all(numbers.map((number) => startAgentx(cwd, ['run', String(number), '--json'])));
    expect(results.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      numbers.map(() => ({ status: 0, stderr: '' })),
    );
    const store = storeOf(cwd);
    for (const [index, number] of numbers.entries()) {
      expect((await store.ledgers.read(number)).clarifications).toMatchObject([
        { id: `CLR-${number}-001`, status: 'resolved', round: 1 },
      ]);
      const told = results[index] === undefined ? [] : eventsOf(results[index]);
      expect(told.filter(({ issueNumber = number }) => issueNumber !== number)).toEqual([]);
    }
    expect((await store.issues.list()).items.map(({ taskStatus }) => taskStatus)).toEqual(numbers.map(() => 'done'));
  });

  it('is refused to a second process, which is told who is at it and where', async () => {
    const cwd = await aPatientRun();
    const first = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    const second = agentx(cwd, ['run', '1', '--json']);
    expect(second.status).toBe(1);
    expect(second.json()).toMatchObject({ error: { code: 'CONFLICT', details: { pid: first.pid } } });
    expect(agentx(cwd, ['run', '1']).stderr).toContain(String(first.pid));
    letGo(cwd);
    expect((await first.ended).status).toBe(0);
    expect(fileOf(cwd, 'asked')).toBe('1\n');
  });

  it('is not begun anew by a second process that waits until the first is done', async () => {
    const numbers = [1, 2, 3, 4, 5, 6];
    const cwd = await aRunnable({
      steps: '[[steps]]\nid = "implement"\ntitle = "Implement"\nagent = "engineer"',
      config: commandAgent('engineer'),
      issues: numbers.map((number) => ({ title: `Issue ${number}` })),
      files: {
        'engineer.mjs': agentProgram(`
          const { number } = brief.issue;
          appendFileSync('calls-' + number, 'x');
          // Done at the moment when the second process queues, or at the latest when it has given up.
          await until('.agentx/state/runs/issue-' + number + '.claim.json.waiting.lock', 'go-' + number);
          reply({ artifacts: [{ path: 'done-' + number, content: 'up' }] });
        `),
      },
    });
    for (const number of numbers) {
      const first = spawnAgentx(cwd, ['run', String(number)]);
      await untilThere(cwd, `calls-${number}`);
      const second = await startAgentx(cwd, ['run', String(number), '--json']);
      writeFileSync(join(cwd, `go-${number}`), '');
      expect((await first.ended).status).toBe(0);
      if (second.status !== 0) expect(second.json()).toMatchObject({ error: { code: 'CONFLICT' } });
      else expect(eventsOf(second)).toMatchObject([{ type: 'run-finished', status: 'done' }]);
      expect(agentx(cwd, ['run', String(number)]).stdout).toContain(`#${number} is done already.`);
      expect(fileOf(cwd, `calls-${number}`)).toBe('x');
    }
  });

  it('stops on Ctrl-C, loses nothing and goes on later', async () => {
    const cwd = await aPatientRun();
    const first = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    first.signal('SIGINT');
    const { status, stderr, stdout } = await first.ended;
    expect({ status, stderr }).toEqual({ status: 130, stderr: 'Paused. Go on with: agentx run 1\n' });
    expect(stdout).toContain('Run paused: ');
    letGo(cwd);
    const second = agentx(cwd, ['run', '1']);
    expect(second.status).toBe(0);
    expect(second.stdout).toContain('goes on where it was');
    expect(second.stdout).not.toContain('[Product Manager]');
    expect(fileOf(cwd, 'health.js')).toBe('up');
  });

  it('ends at once on the second Ctrl-C', async () => {
    const cwd = await aPatientRun();
    const run = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    run.signal('SIGINT');
    run.signal('SIGINT');
    expect((await run.ended).status).toBe(130);
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
  });

  it('says in --json that it was interrupted', async () => {
    const cwd = await aPatientRun();
    const run = spawnAgentx(cwd, ['run', '1', '--json']);
    await untilThere(cwd, 'asked');
    run.signal('SIGTERM');
    const result = await run.ended;
    expect(result.status).toBe(143);
    expect(eventsOf(result).at(-1)).toMatchObject({ type: 'run-finished', status: 'paused', waitingOn: [] });
  });

  it('says what is missing when there is no such issue or no agent for a step', async () => {
    const cwd = await aRepository({ issues: [{ title: 'Health endpoint' }] });
    expect(agentx(cwd, ['run', '7']).status).toBe(4);
    const none = agentx(cwd, ['run', '1']);
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/^error: .*engineer/);
    expect(agentx(cwd, ['run', 'seven']).status).toBe(2);
  });
});

/** A product manager that is done at once, and an engineer that waits for the test. */
async function aPatientRun(): Promise<string> {
  const cwd = await aRunnable({
    steps: `
      [[steps]]
      id = "plan"
      title = "Plan"
      agent = "product-manager"
      [[steps]]
      id = "implement"
      title = "Implement"
      agent = "engineer"
      needs = ["plan"]
    `,
    script: '[[turns]]\nagent = "product-manager"\n',
    config: commandAgent('engineer'),
  });
  const engineer = agentProgram(`
    appendFileSync('asked', '1\\n');
    await until('go');
    reply({ artifacts: [{ path: 'health.js', content: 'up' }] });
  `);
  writeFileSync(join(cwd, 'engineer.mjs'), engineer);
  return cwd;
}
