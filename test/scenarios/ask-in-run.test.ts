import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, spawnAgentx } from './support/agentx.js';
import { aRunnable, fileOf, storeOf } from './support/runs.js';

/* The engineer has two steps, which may ask different agents, in different numbers of rounds, within different times. */

const STEPS = `
  [[steps]]
  id = "design"
  title = "Design"
  agent = "architect"
  [[steps]]
  id = "build"
  title = "Build"
  agent = "engineer"
  needs = ["design"]
  can_clarify = ["architect"]
  [[steps]]
  id = "fix"
  title = "Fix"
  agent = "engineer"
  needs = ["build"]
  can_clarify = ["product-manager"]
  clarify_max_rounds = 2
  clarify_sla_minutes = 7
`;

const SCRIPT = '[[turns]]\ntext = "As agreed."\ntimes = 0\n';
const asking = (to: string) => ['--to', to, '--topic', 'Scope', '-q', 'Is CSV in?', '--json'];

/** In its second step it asks both, as an agent that calls us itself. */
const ENGINEER = agentProgram(`
  if (brief.step.id === 'fix' && !existsSync('asked')) {
    const [allowed, refused] = ['product-manager', 'architect'].map((to) =>
      ask('--to', to, '--topic', 'Scope', '-q', 'Is CSV in?', '--json'));
    appendFileSync('heard', allowed.status + ' ' + refused.status + ' ' + refused.stderr);
    appendFileSync('asked', '');
    await until('go');
  }
  reply({ text: 'Done.' });
`);

describe('agentx ask inside a run', () => {
  it('goes by the step that is under way: whom, how often, how long [US-2.1/15]', async () => {
    const config = commandAgent('engineer');
    const cwd = await aRunnable({ steps: STEPS, script: SCRIPT, config, files: { 'engineer.mjs': ENGINEER } });
    const run = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    expect(fileOf(cwd, 'heard')).toMatch(/^0 1 .*SCOPE_VIOLATION.*Allowed: product-manager/);
    // So does another caller that asks in its name meanwhile, in another terminal.
    const other = agentx(cwd, ['ask', '--issue', '1', '--from', 'engineer', ...asking('product-manager')]);
    expect(other.status).toBe(0);
    const refused = agentx(cwd, ['ask', '--issue', '1', '--from', 'engineer', ...asking('architect')]);
    expect(refused.json()).toMatchObject({ error: { code: 'SCOPE_VIOLATION', details: { step: 'fix' } } });
    letGo(cwd);
    expect((await run.ended).status).toBe(0);
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications.map(({ to, maxRounds, slaMinutes }) => ({ to, maxRounds, slaMinutes }))).toEqual([
      { to: 'product-manager', maxRounds: 2, slaMinutes: 7 },
      { to: 'product-manager', maxRounds: 2, slaMinutes: 7 },
    ]);
    // No agent is at a step any more: the first one of the agent counts.
    expect(agentx(cwd, ['ask', '--issue', '1', '--from', 'engineer', ...asking('architect')]).status).toBe(0);
  });

  it('goes by the workflow that the run was started with by name', async () => {
    const steps = '[[steps]]\nid = "other"\ntitle = "Other"\nagent = "tester"\n';
    const cwd = await aRunnable({
      steps,
      script: SCRIPT,
      config: `${commandAgent('engineer')}${['architect', 'product-manager'].map((agent) => `[agents.${agent}]\nrunner = "script"\nscript = "agents.toml"\n`).join('')}`,
      files: {
        '.agentx/workflows/rescue.toml': `[workflow]\nname = "rescue"\n${STEPS}`,
        'engineer.mjs': ENGINEER,
        go: '',
      },
    });
    expect(agentx(cwd, ['run', '1', '--workflow', 'rescue']).status).toBe(0);
    expect(fileOf(cwd, 'heard')).toMatch(/^0 1 .*Allowed: product-manager/);
  });
});
