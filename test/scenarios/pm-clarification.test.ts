import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, fileOf, letTimeRunOut, storeOf } from './support/runs.js';
import { onTerminal } from './support/terminal.js';

const STEPS = `
[[steps]]
id = "plan"
title = "Plan"
agent = "project-manager"
[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
needs = ["plan"]
`;

/** Asks what `request.json` says, if it exists, and plans with the answers. */
const MANAGER = agentProgram(`
  appendFileSync('briefs.ndjson', JSON.stringify({ answers: brief.answers, refused: brief.refused, step: brief.step.id }) + '\\n');
  const said = (brief.issue.comments ?? []).map(({ body }) => body);
  const told = [...said, ...brief.answers.map(({ answer }) => answer), ...brief.refused.map(({ code }) => code)];
  const wanted = existsSync('requests.json') ? JSON.parse(readFileSync('requests.json', 'utf8')) : [];
  const next = wanted[told.length];
  if (next) reply(next);
  else reply({ status: 'done', artifacts: [{ path: 'plan.md', content: 'Plan: ' + (told.join(', ') || 'as it says') }] });
`);
const ENGINEER = agentProgram(`
  const plan = readFileSync('plan.md', 'utf8');
  reply({ status: 'done', artifacts: [{ path: 'code.txt', content: plan }] });
`);

interface PlannedOptions {
  readonly title: string;
  readonly labels?: readonly string[];
  /** The project manager's replies, one after the other, until it has enough answers. */
  readonly requests?: readonly unknown[];
  readonly steps?: string;
}

async function planned({ title, labels = [], requests = [], steps = STEPS }: PlannedOptions) {
  return aRunnable({
    steps,
    config: `${commandAgent('project-manager', 'manager.mjs')}\n${commandAgent('engineer')}`,
    files: {
      'manager.mjs': MANAGER,
      'engineer.mjs': ENGINEER,
      'requests.json': JSON.stringify(requests),
      'api/auth.py': '# JWT',
    },
    issues: [{ title, labels }],
  });
}

/** The request as 002 writes it, about the issue of its first scenario. */
const STATELESS = `I looked at everything there is.

## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Mutually Exclusive Requirements

**Evidence of Exhaustion:**
- Codebase search: JWT utilities in /api/auth.py, no session store anywhere
- Similar features: no other endpoint keeps anything between two requests
- Attempted inference: the request asks for a stateless API and for sessions

**Question:** Which of the two shall the API be?

**Options:**
a) Stateless, with signed tokens
b) Sessions on the server
c) Both, sessions only for the old clients

**Safe Fallback:** If no response within 5 minutes, I will proceed with option (a)
stateless because the repository has JWT utilities already. This assumption will be logged with medium risk.

**Status:** AWAITING_CLARIFICATION (auto-proceed with fallback after 5 minutes)`;

const DATABASE = {
  blocker_type: 'missing_external_data',
  evidence: {
    codebase_search: 'no connection string in any file of the repository',
    similar_features: 'nothing here connects to a database so far',
    attempted_inference: 'neither the host nor the credentials can be guessed',
  },
  question: 'What is the connection string of the production database?',
  options: ['I will set DATABASE_URL', 'Use the test database'],
  fallback: { option: 'b', reasoning: 'the test database harms nobody', risk: 'low' },
};

const interactionsOf = (cwd: string): readonly Record<string, unknown>[] =>
  readFileSync(join(cwd, '.agentx/state/interactions.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const sessionsOf = (cwd: string): readonly Record<string, unknown>[] =>
  Object.values(JSON.parse(fileOf(cwd, '.agentx/state/orchestrator.json')).sessions);
const briefsOf = (cwd: string): readonly { readonly answers: unknown[]; readonly refused: unknown[] }[] =>
  fileOf(cwd, 'briefs.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const assumptionsOf = async (cwd: string) => (await storeOf(cwd).assumptions.read(1)).assumptions_made;

async function theQuestion(cwd: string) {
  const [question] = (await storeOf(cwd).questions.list({ status: 'open' })).items;
  if (question === undefined) throw new Error('nothing is asked');
  return question;
}

describe('a planning request', () => {
  it('is not made where requirements are clear: the run proceeds [PM-8/1] [PM-1/2]', async () => {
    const cwd = await planned({ title: 'Add GET /health that says ok' });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect((await storeOf(cwd).questions.list()).items).toEqual([]);
    expect((await storeOf(cwd).interactions.list()).items).toEqual([]);
    expect(fileOf(cwd, 'code.txt')).toBe('Plan: as it says');
  });

  it('about requirements that exclude each other is asked, answered, recorded and planned with [PM-8/2] [PM-8/6] [PM-3/1] [PM-4/2] [PM-4/3] [PM-4/4] [PM-4/5] [PM-4/7] [PM-4/8] [PM-5/8] [PM-7/1] [PM-7/3]', async () => {
    const cwd = await planned({
      title: 'Make the API stateless and maintain user sessions',
      requests: [{ text: STATELESS }],
    });
    const paused = agentx(cwd, ['run', '1']);
    expect(paused.status).toBe(3);
    const question = await theQuestion(cwd);
    expect(question).toMatchObject({
      kind: 'pm_clarification',
      source: 'pm',
      blocker_type: 'mutually_exclusive_requirements',
      questions: [{ text: 'Which of the two shall the API be?', options: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }],
      fallback: { optionId: 'a' },
    });
    const shown = agentx(cwd, ['inbox', 'show', question.id]).stdout;
    for (const part of [
      'Mutually Exclusive Requirements',
      'JWT utilities in /api/auth.py',
      'no other endpoint keeps anything',
      'the request asks for a stateless API and for sessions',
      'Which of the two shall the API be?',
      'c) Both, sessions only for the old clients',
      'the repository has JWT utilities already',
    ]) {
      expect(shown.replace(/\s+/g, ' ')).toContain(part);
    }
    expect(interactionsOf(cwd)).toMatchObject([
      { request_type: 'pm_clarification', status: 'pending', user_response: null, resolved_at: null },
    ]);
    expect(String(interactionsOf(cwd)[0]?.content)).toContain('## PM Status: NEEDS_CLARIFICATION');
    expect(sessionsOf(cwd)).toMatchObject([
      {
        clarification_pending: true,
        clarification_requested_at: expect.stringMatching(/^20.*Z$/),
        phase: 'awaiting_clarification',
      },
    ]);

    expect(agentx(cwd, ['inbox', 'answer', question.id, '--option', 'c']).status).toBe(0);
    expect(interactionsOf(cwd).at(-1)).toMatchObject({
      status: 'resolved',
      user_response: expect.stringContaining('Both'),
      resolved_at: expect.stringMatching(/^20.*Z$/),
    });
    expect(sessionsOf(cwd)).toMatchObject([{ clarification_pending: false, phase: 'planning' }]);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(sessionsOf(cwd)).toMatchObject([{ clarification_pending: false, phase: 'planning_complete' }]);
    expect(briefsOf(cwd).at(-1)?.answers).toMatchObject([{ outcome: 'answered' }]);
    expect(fileOf(cwd, 'code.txt')).toContain('Both, sessions only for the old clients');
    expect(await assumptionsOf(cwd)).toMatchObject([
      {
        blocker_type: 'mutually_exclusive_requirements',
        user_response: 'User confirmed option (c): Both, sessions only for the old clients',
        confidence: 'high',
      },
    ]);
  });

  it('that nobody answers proceeds with its fallback by itself, while the run waits [PM-8/3] [PM-8/7] [PM-4/1] [PM-4/6] [PM-4/9] [PM-4/10] [PM-5/9] [PM-7/4]', async () => {
    const cwd = await planned({
      title: 'Connect to the production database',
      requests: [{ needs_clarification: DATABASE }],
    });
    const terminal = onTerminal(cwd, ['run', '1']);
    await terminal.until(/What is the connection string of the production\s+database\?/);
    await letTimeRunOut(cwd, (await theQuestion(cwd)).id);
    expect(await terminal.ended).toBe(0);
    expect(briefsOf(cwd).at(-1)?.answers).toMatchObject([{ outcome: 'fallback_applied' }]);
    expect(fileOf(cwd, 'code.txt')).toContain('Use the test database');
    expect(await assumptionsOf(cwd)).toMatchObject([
      {
        user_response: 'timeout_assumed',
        blocker_type: 'missing_external_data',
        reasoning: 'the test database harms nobody',
        risk_if_wrong: 'low',
        confidence: 'medium',
      },
    ]);
    expect(interactionsOf(cwd).map(({ status }) => status)).toEqual(['pending', 'timeout']);
    expect(sessionsOf(cwd)).toMatchObject([{ clarification_pending: false, phase: 'planning_complete' }]);
  });

  it('goes on with its clock while nothing runs, and is decided by the next command [PM-7/5] [PM-4/6]', async () => {
    const cwd = await planned({
      title: 'Connect to the production database',
      requests: [{ needs_clarification: DATABASE }],
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const { id } = await theQuestion(cwd);
    expect(sessionsOf(cwd)).toMatchObject([{ clarification_pending: true }]);
    await letTimeRunOut(cwd, id);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(await storeOf(cwd).questions.read(id)).toMatchObject({ outcome: 'fallback_applied' });
    expect(fileOf(cwd, 'code.txt')).toContain('Use the test database');
  });

  it('about a technical detail is refused, and the agent decides by itself [PM-8/4] [PM-8/8] [PM-2/16]', async () => {
    const cwd = await planned({
      title: 'Fix the failing tests',
      requests: [
        {
          needs_clarification: {
            ...DATABASE,
            blocker_type: 'technical detail',
            question: 'Which test framework shall I use?',
            options: ['vitest', 'jest'],
            fallback: { option: 'a', reasoning: 'it is there', risk: 'low' },
          },
        },
      ],
    });
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain('GATE_REFUSED');
    expect((await storeOf(cwd).questions.list()).items).toEqual([]);
    expect(briefsOf(cwd).at(-1)?.refused).toMatchObject([
      { code: 'GATE_REFUSED', message: expect.stringContaining("'technical detail' is no blocker") },
    ]);
    expect(await assumptionsOf(cwd)).toMatchObject([{ user_response: expect.stringMatching(/^inferred_from_/) }]);
  });

  it('after one request of the session is refused, even when that has ended [PM-8/5] [PM-2/10]', async () => {
    const cwd = await planned({
      title: 'Connect to the production database',
      requests: [
        { needs_clarification: DATABASE },
        { needs_clarification: { ...DATABASE, question: 'And which of the schemas is the right one?' } },
      ],
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const { id } = await theQuestion(cwd);
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'a']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(briefsOf(cwd).at(-1)?.refused).toMatchObject([
      { code: 'GATE_REFUSED', message: expect.stringContaining('this session has asked once already') },
    ]);
    expect((await storeOf(cwd).questions.list()).items).toHaveLength(1);
    expect(fileOf(cwd, 'code.txt')).toBe('Plan: I will set DATABASE_URL, GATE_REFUSED');
  });
});

describe('the gate', () => {
  const evidence = (fields: Partial<Record<keyof typeof DATABASE.evidence | 'investigator_findings', string>>) => ({
    ...DATABASE,
    evidence: { ...DATABASE.evidence, ...fields },
  });
  const COMPLEX = ['complexity:complex'];

  it.each([
    ['blocker type [PM-2/1]', { ...DATABASE, blocker_type: 'curiosity' }, [], "'curiosity' is no blocker"],
    ['codebase search [PM-2/5]', evidence({ codebase_search: '' }), [], 'codebase search is missing'],
    ['similar features [PM-2/6]', evidence({ similar_features: '' }), [], 'similar features is missing'],
    ['attempted inference [PM-2/7]', evidence({ attempted_inference: '' }), [], 'attempted inference is missing'],
    ['placeholder [PM-2/14]', evidence({ codebase_search: 'TODO' }), [], 'codebase search says nothing'],
    [
      'path [PM-2/14]',
      evidence({ codebase_search: 'found it in src/nowhere.ts' }),
      [],
      'src/nowhere.ts, which does not',
    ],
    ['investigator on a complex issue [PM-2/8]', DATABASE, COMPLEX, 'investigator findings is missing'],
  ])('refuses a request for its %s, with the reason', async (_, request, labels, reason) => {
    const requests = [{ needs_clarification: request }];
    const cwd = await planned({ title: 'Connect to the production database', labels, requests });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    const [refusal] = briefsOf(cwd).at(-1)?.refused ?? [];
    expect(refusal).toMatchObject({ code: 'GATE_REFUSED', message: expect.stringContaining(reason) });
    expect((await storeOf(cwd).questions.list()).items).toEqual([]);
    expect(await assumptionsOf(cwd)).toHaveLength(1);
  });

  it('lets an investigated request of a complex issue pass [PM-2/8]', async () => {
    const investigated = evidence({ investigator_findings: 'three services were traced, none has the address' });
    const cwd = await planned({
      title: 'Connect to the production database',
      labels: COMPLEX,
      requests: [{ needs_clarification: investigated }],
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    expect(await theQuestion(cwd)).toMatchObject({ kind: 'pm_clarification' });
  });

  it('lets one request of the project be open at a time [PM-2/9]', async () => {
    const cwd = await planned({
      title: 'Connect to the production database',
      requests: [{ needs_clarification: DATABASE }],
    });
    agentx(cwd, ['issue', 'create', '-t', 'Connect to the archive']);
    expect(agentx(cwd, ['run', '1']).status).toBe(3);
    const { id } = await theQuestion(cwd);
    expect(agentx(cwd, ['run', '2']).status).toBe(0);
    expect(briefsOf(cwd).at(-1)?.refused).toMatchObject([
      { message: expect.stringContaining(`another request of the project is open (${id})`) },
    ]);
  });

  it('is closed once an engineer has started: the agent decides and records it [PM-2/11] [PM-2/12]', async () => {
    const steps = STEPS.replace(/^id = "plan"$/m, 'id = "check"')
      .replace('agent = "project-manager"', 'agent = "project-manager"\nneeds = ["implement"]')
      .replace('needs = ["plan"]', '');
    const cwd = await planned({ title: 'Connect it', requests: [{ needs_clarification: DATABASE }], steps });
    writeFileSync(join(cwd, 'plan.md'), 'There was one.');
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(briefsOf(cwd).at(-1)?.refused).toMatchObject([{ message: expect.stringContaining('planning is over') }]);
    expect(await assumptionsOf(cwd)).toMatchObject([
      { decision: expect.stringContaining('Use the test database'), user_response: 'inferred_from_context' },
    ]);
  });

  it('names every condition that failed at once [PM-2/13]', async () => {
    const cwd = await planned({
      title: 'Connect it',
      labels: COMPLEX,
      requests: [
        {
          needs_clarification: {
            blocker_type: 'taste',
            evidence: { codebase_search: 'n/a', similar_features: '', attempted_inference: 'see docs/none.md for it' },
            question: 'Which colour?',
            options: ['red', 'blue'],
            fallback: { option: 'a', reasoning: 'warm', risk: 'low' },
          },
        },
      ],
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    const [refusal] = briefsOf(cwd).at(-1)?.refused ?? [];
    const message = String(Object(refusal).message);
    for (const reason of [
      "'taste' is no blocker",
      'codebase search says nothing',
      'similar features is missing',
      'investigator findings is missing',
      'docs/none.md, which does not exist',
    ]) {
      expect(message).toContain(reason);
    }
  });

  it("stands before a project manager's open questions as well [PM-2/15]", async () => {
    const cwd = await planned({ title: 'Connect it', requests: [{ open_questions: ['Which colour?'] }] });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(briefsOf(cwd).at(-1)?.refused).toMatchObject([{ code: 'GATE_REFUSED' }]);
    expect((await storeOf(cwd).questions.list()).items).toEqual([]);
  });
});

describe('a late answer', () => {
  async function timedOut(): Promise<{ cwd: string; id: string }> {
    const cwd = await planned({
      title: 'Connect to the production database',
      requests: [{ needs_clarification: DATABASE }],
    });
    agentx(cwd, ['run', '1']);
    const { id } = await theQuestion(cwd);
    await letTimeRunOut(cwd, id);
    agentx(cwd, ['ready']);
    expect(await storeOf(cwd).questions.read(id)).toMatchObject({ status: 'resolved' });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    return { cwd, id };
  }

  it('that agrees confirms the assumption and asks for nothing [X-3/4] [PM-6/1]', async () => {
    const { cwd, id } = await timedOut();
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'b']).status).toBe(0);
    expect(await assumptionsOf(cwd)).toMatchObject([{ status: 'confirmed', user_response: 'timeout_assumed' }]);
    expect((await storeOf(cwd).questions.list({ status: 'open' })).items).toEqual([]);
  });

  it('is stored and opens a choice that lists what stands on the assumption; keep leaves it [X-3/1] [X-3/2] [X-3/3] [PM-6/1]', async () => {
    const { cwd, id } = await timedOut();
    expect(agentx(cwd, ['inbox', 'answer', id, '-m', 'postgres://prod']).status).toBe(0);
    expect(await storeOf(cwd).questions.read(id)).toMatchObject({
      outcome: 'fallback_applied',
      lateResponses: [{ responses: [{ answer: 'postgres://prod' }], answeredBy: { principal: 'ada' } }],
    });
    const choice = await theQuestion(cwd);
    expect(choice).toMatchObject({ kind: 'late_answer' });
    const { stdout } = agentx(cwd, ['inbox', 'show', choice.id]);
    for (const part of ['plan.md', 'code.txt', 'run-1-', 'postgres://prod']) expect(stdout).toContain(part);
    expect(agentx(cwd, ['inbox', 'answer', choice.id, '--option', 'keep']).status).toBe(0);
    expect(await assumptionsOf(cwd)).toMatchObject([{ status: 'confirmed' }]);
    expect(fileOf(cwd, 'code.txt')).toBe('Plan: Use the test database');
  });

  it('leads to rework where a human says so: the work is done again with the answer [X-3/3] [PM-6/2]', async () => {
    const { cwd, id } = await timedOut();
    expect(fileOf(cwd, 'code.txt')).toBe('Plan: Use the test database');
    agentx(cwd, ['inbox', 'answer', id, '-m', 'postgres://prod']);
    const choice = await theQuestion(cwd);
    expect(agentx(cwd, ['inbox', 'answer', choice.id, '--option', 'rework']).status).toBe(0);
    expect(await assumptionsOf(cwd)).toMatchObject([{ status: 'rejected', rejection: 'postgres://prod' }]);
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [{ number: 1 }] });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(fileOf(cwd, 'code.txt')).toContain('postgres://prod');
  });
});

it('carries the Stripe example through all its steps [PM-8/9] [PM-2/3] [PM-5/1] [PM-5/4] [PM-5/6]', async () => {
  const request = {
    ...DATABASE,
    evidence: {
      codebase_search: 'No Stripe SDK, no API keys in config/, .env, secrets/',
      similar_features: 'No payment integrations found',
      attempted_inference: 'Cannot determine the environment (test vs prod)',
    },
    question: 'Which Stripe environment should be configured?',
    options: ['Test mode', 'Production mode', 'Both, switched by an environment variable'],
    fallback: { option: 'a', reasoning: 'safer for development', risk: 'medium' },
  };
  const cwd = await planned({
    title: 'Integrate Stripe for payment processing in the checkout flow',
    requests: [{ needs_clarification: request }],
  });
  mkdirSync(join(cwd, 'config'));
  expect(agentx(cwd, ['run', '1']).status).toBe(3);
  const { id } = await theQuestion(cwd);
  expect(interactionsOf(cwd)).toMatchObject([{ request_type: 'pm_clarification', status: 'pending' }]);
  expect(sessionsOf(cwd)).toMatchObject([{ clarification_pending: true, phase: 'awaiting_clarification' }]);
  agentx(cwd, ['inbox', 'answer', id, '--option', 'c']);
  expect(interactionsOf(cwd).at(-1)).toMatchObject({ status: 'resolved' });
  expect(agentx(cwd, ['run', '1']).status).toBe(0);
  expect(agentx(cwd, ['assumptions', '--issue', '1', '--json']).json()).toMatchObject({
    assumptions: [
      {
        decision: expect.stringContaining('Both, switched by an environment variable'),
        blocker_type: 'missing_external_data',
        user_response: 'User confirmed option (c): Both, switched by an environment variable',
        reasoning: expect.stringMatching(/\S/),
        confidence: 'high',
        risk_if_wrong: 'low - explicit user confirmation',
      },
    ],
  });
  expect(sessionsOf(cwd)).toMatchObject([{ clarification_pending: false, phase: 'planning_complete' }]);
  expect(fileOf(cwd, 'code.txt')).toBe('Plan: Both, switched by an environment variable');
  expect((await storeOf(cwd).issues.read(1))?.taskStatus).toBe('done');
});
