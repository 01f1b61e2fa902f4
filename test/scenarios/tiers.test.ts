import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent, letGo, untilThere } from './support/agents.js';
import { agentx, spawnAgentx } from './support/agentx.js';
import { aRunnable, eventsOf, storeOf } from './support/runs.js';

/*
 * The three tiers of asking, through the program: before the run (--clarify-first), in the middle of planning past the
 * gate, and not at all but written down. Every agent appends its brief to briefs.ndjson.
 */

const TOLD = "appendFileSync('briefs.ndjson', JSON.stringify(brief) + '\\n');";
const program = (body: string): string => agentProgram(`${TOLD}\n${body}`);

const STEPS = `
[[steps]]
id = "plan"
title = "Plan {{title}}"
agent = "project-manager"

[[steps]]
id = "code"
title = "Build {{title}}"
agent = "coder"
needs = ["plan"]
`;

const BATCH = [
  {
    text: 'Which region?',
    options: ['EU', 'US'],
    fallback: { option: 'a', reasoning: 'the stricter law', risk: 'low' },
  },
  {
    text: 'Which currency?',
    options: ['EUR', 'USD'],
    fallback: { option: 'b', reasoning: 'most pay so', risk: 'low' },
  },
];

const REQUEST = {
  blocker_type: 'Missing External Data',
  evidence: {
    codebase_search: 'src/shop.ts knows no provider and no key',
    similar_features: 'Nothing else in the project charges anybody',
    attempted_inference: 'The issue does not say whether real money moves',
  },
  question: 'Which environment should be configured?',
  options: ['Test mode', 'Production mode'],
  fallback: { option: 'a', reasoning: 'no real money can move', risk: 'low' },
};

const DEFAULTS: Readonly<Record<string, string>> = {
  'project-manager': "reply({ text: 'Planned.' });",
  coder: "reply({ text: 'Built.' });",
};

interface Team {
  /** What each agent does with its brief; those that are named have a table. */
  readonly agents?: Readonly<Record<string, string>>;
  readonly labels?: readonly string[];
}

async function aTeam({ agents = {}, labels = [] }: Team): Promise<string> {
  const team = Object.entries({ ...DEFAULTS, ...agents });
  return aRunnable({
    steps: STEPS,
    config: team.map(([name]) => commandAgent(name)).join('\n'),
    files: {
      'src/shop.ts': 'export {};\n',
      ...Object.fromEntries(team.map(([name, body]) => [`${name}.mjs`, program(body)])),
    },
    issues: [{ title: 'Checkout', labels }],
  });
}

interface Told {
  readonly agent: string;
  readonly step: { readonly id: string };
  readonly answers: readonly { readonly text: string; readonly answer: string; readonly outcome: string }[];
  readonly refused: readonly { readonly message: string }[];
}

function briefsIn(cwd: string): readonly Told[] {
  const lines = readFileSync(join(cwd, 'briefs.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line): Told => JSON.parse(line));
}

const agentsIn = (cwd: string) => briefsIn(cwd).map(({ agent }) => agent);
const ASKS_FIRST = `reply(${JSON.stringify({ open_questions: BATCH })});`;
const ASKS = `reply(brief.answers.length + brief.refused.length > 0 ? { text: 'Planned.' } : ${JSON.stringify({ needs_clarification: REQUEST })});`;

async function openQuestion(cwd: string) {
  const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
  if (question === undefined) throw new Error('nothing is asked');
  return question;
}

const assumptionsIn = async (cwd: string) => (await storeOf(cwd).assumptions.read(1)).assumptions_made;

describe('tier 1: agentx run --clarify-first', () => {
  it('asks all that is unclear as one notification before any step, and everybody has the answers [PM-1/1]', async () => {
    const cwd = await aTeam({ agents: { 'requirements-engineer': ASKS_FIRST } });
    const paused = agentx(cwd, ['run', '1', '--clarify-first']);
    expect(paused).toMatchObject({ status: 3, stderr: '' });
    expect(paused.stdout).toMatch(/^#1 Checkout {2}\(story, 3 steps\)\n/);
    expect(paused.stdout).toContain('[Requirements Engineer] ');
    expect(agentsIn(cwd)).toEqual(['requirements-engineer']);
    const { id, questions } = await openQuestion(cwd);
    expect(questions.map(({ text }) => text)).toEqual(['Which region?', 'Which currency?']);

    agentx(cwd, ['inbox', 'answer', id, '--question', 'q1', '--option', 'b']);
    expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(3);
    expect(agentsIn(cwd)).toEqual(['requirements-engineer']);
    agentx(cwd, ['inbox', 'answer', id, '--question', 'q2', '-m', 'Swiss francs']);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(agentsIn(cwd)).toEqual(['requirements-engineer', 'project-manager', 'coder']);
    for (const { answers } of briefsIn(cwd).slice(1)) {
      expect(answers).toMatchObject([
        { text: 'Which region?', answer: 'US', outcome: 'answered' },
        { text: 'Which currency?', answer: 'Swiss francs', outcome: 'answered' },
      ]);
    }
    expect(agentx(cwd, ['assumptions', '--json']).json()).toMatchObject({
      assumptions: [
        { user_response: 'User confirmed option (b): US', status: 'confirmed' },
        { user_response: 'User confirmed option (other): Swiss francs', status: 'confirmed' },
      ],
    });
  });

  it('goes on by itself when nobody answers, and says what it assumed [PM-5/9]', async () => {
    const cwd = await aTeam({
      agents: { 'requirements-engineer': ASKS_FIRST },
    });
    const path = join(cwd, '.agentx/config.toml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^fallback_minutes = \S+/m, 'fallback_minutes = 0.0001'));
    agentx(cwd, ['run', '1', '--clarify-first']);
    // Its time was over before another process could start.
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(briefsIn(cwd).at(-1)?.answers).toMatchObject([
      { answer: 'EU', outcome: 'fallback_applied' },
      { answer: 'USD', outcome: 'fallback_applied' },
    ]);
    expect(await assumptionsIn(cwd)).toMatchObject([
      { decision: 'Which region? EU', user_response: 'timeout_assumed', reasoning: 'the stricter law' },
      { decision: 'Which currency? USD', user_response: 'timeout_assumed', reasoning: 'most pay so' },
    ]);
  });

  it('asks nothing where it is not told to, or where nothing is unclear [PM-1/2]', async () => {
    const cwd = await aTeam({ agents: { 'requirements-engineer': ASKS_FIRST } });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(agentsIn(cwd)).toEqual(['project-manager', 'coder']);
    expect((await storeOf(cwd).questions.list()).items).toEqual([]);

    const clear = await aTeam({ agents: { 'product-manager': "reply({ text: 'All is clear.' });" } });
    expect(agentx(clear, ['run', '1', '--clarify-first']).status).toBe(0);
    expect(agentsIn(clear)).toEqual(['product-manager', 'project-manager', 'coder']);
  });

  it('is for a new run: one that has begun goes on without it', async () => {
    const cwd = await aTeam({ agents: { 'project-manager': "reply({ text: 'No.', status: 'failed' });" } });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const refused = agentx(cwd, ['run', '1', '--clarify-first', '--json']);
    expect(refused.status).toBe(1);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'INVALID_STATE',
        message:
          'The run of issue #1 has begun already, and --clarify-first is for a new one. Go on with: agentx run 1.',
      },
    });
  });

  it('is not asked again when the run was killed after the questions', async () => {
    const cwd = await aTeam({
      agents: {
        'requirements-engineer': ASKS_FIRST,
        'project-manager': "appendFileSync('asked', '1'); await until('go'); reply({ text: 'Planned.' });",
      },
    });
    agentx(cwd, ['run', '1', '--clarify-first']);
    const { id } = await openQuestion(cwd);
    agentx(cwd, ['inbox', 'decline', id]);
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    running.kill();
    await running.ended;
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(agentsIn(cwd).filter((agent) => agent === 'requirements-engineer')).toHaveLength(1);
    expect((await storeOf(cwd).questions.list()).items).toHaveLength(1);
    expect((await assumptionsIn(cwd)).map(({ user_response }) => user_response)).toEqual([
      'inferred_from_context',
      'inferred_from_context',
    ]);
  });
});

describe('tier 2: a planner that cannot decide', () => {
  it('asks once, past the gate, with what an investigator found on a complex issue [PM-1/3] [PM-1/4]', async () => {
    const cwd = await aTeam({
      agents: {
        'project-manager': ASKS,
        investigator: "reply({ text: 'src/shop.ts and its history name no mode.' });",
      },
      labels: ['complex'],
    });
    const paused = agentx(cwd, ['run', '1']);
    expect(paused.status).toBe(3);
    expect(paused.stdout).toMatch(/\[Investigator\] +Find out: Which environment should be configured\? +done/);
    const { id, evidence, kind } = await openQuestion(cwd);
    expect({ kind, evidence }).toMatchObject({
      kind: 'pm_clarification',
      evidence: { investigator_findings: 'src/shop.ts and its history name no mode.' },
    });
    expect(agentx(cwd, ['inbox', 'show', id]).stdout).toContain('src/shop.ts and its history name no mode.');
    agentx(cwd, ['inbox', 'answer', id, '--option', 'b']);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(agentsIn(cwd)).toEqual(['project-manager', 'investigator', 'project-manager', 'coder']);
    expect(await assumptionsIn(cwd)).toMatchObject([
      { user_response: 'User confirmed option (b): Production mode', confidence: 'high' },
    ]);
  });

  it('asks no human if the investigator finds the answer, and writes that down [PM-5/7]', async () => {
    const cwd = await aTeam({
      agents: {
        'project-manager': ASKS,
        investigator: "reply({ text: 'src/shop.ts says so.', answer: 'Test mode.' });",
      },
      labels: ['complex'],
    });
    const result = agentx(cwd, ['run', '1', '--json']);
    expect(result.status).toBe(0);
    expect(eventsOf(result).map(({ type }) => type)).not.toContain('notification-added');
    expect(agentsIn(cwd)).toEqual(['project-manager', 'investigator', 'project-manager', 'coder']);
    expect(briefsIn(cwd)[2]?.answers).toMatchObject([{ answer: 'Test mode.', from: 'investigator' }]);
    expect(await assumptionsIn(cwd)).toMatchObject([
      {
        decision: 'Which environment should be configured? Test mode.',
        blocker_type: 'none',
        user_response: 'inferred_from_investigation',
      },
    ]);
  });

  it('is refused on a complex issue without an investigator, and decides by itself [PM-2/8] [PM-1/5]', async () => {
    const cwd = await aTeam({ agents: { 'project-manager': ASKS }, labels: ['complex'] });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(briefsIn(cwd)[1]?.refused[0]?.message).toContain('investigator findings is missing');
    expect(await assumptionsIn(cwd)).toMatchObject([
      { blocker_type: 'none', user_response: 'inferred_from_context', reasoning: expect.stringContaining('Not asked') },
    ]);
  });

  it('does not have it investigated twice when the run is killed in between', async () => {
    const cwd = await aTeam({
      agents: {
        'project-manager': `if (brief.answers.length > 0) { appendFileSync('asked', '1'); await until('go'); }\n${ASKS}`,
        investigator: "reply({ answer: 'Test mode.' });",
      },
      labels: ['complex'],
    });
    const running = spawnAgentx(cwd, ['run', '1']);
    await untilThere(cwd, 'asked');
    running.kill();
    await running.ended;
    letGo(cwd);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(agentsIn(cwd).filter((agent) => agent === 'investigator')).toHaveLength(1);
    expect(await assumptionsIn(cwd)).toHaveLength(1);
  });
});

describe('tier 3: what was decided without a human', () => {
  it('is written down as the agent says it, holds no agent up, and can be listed [PM-1/5] [PM-1/6]', async () => {
    const assumption = {
      decision: 'Tokens instead of sessions',
      user_response: 'inferred_from_codebase',
      reasoning: 'src/shop.ts keeps no session',
      confidence: 'high',
      risk_if_wrong: 'medium - the login has to be rewritten',
    };
    const planned = `reply(${JSON.stringify({ text: 'Planned.', assumptions: [assumption] })});`;
    const cwd = await aTeam({ agents: { 'project-manager': planned } });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(await assumptionsIn(cwd)).toMatchObject([
      { ...assumption, blocker_type: 'none', agent: 'project-manager', status: 'standing' },
    ]);
    expect(agentx(cwd, ['assumptions', 'confirm', 'ASM-1-001']).status).toBe(0);
    expect(await assumptionsIn(cwd)).toMatchObject([{ status: 'confirmed' }]);
  });
});
