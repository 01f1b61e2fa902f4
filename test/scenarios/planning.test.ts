import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, openQuietly, startAgentx, untilLocksAreFree } from './support/agentx.js';
import { aRunnable, fileOf, letTimeRunOut } from './support/runs.js';

/*
 * A project manager plans, a coder carries the plan out. Every test says what the project manager does with its brief; it
 * writes what it planned with into plan.md.
 */

const STEPS = `
[[steps]]
id = "plan"
title = "Plan"
agent = "project-manager"

[[steps]]
id = "code"
title = "Code"
agent = "coder"
needs = ["plan"]
`;

const REQUEST = {
  blocker_type: 'Missing External Data',
  evidence: {
    codebase_search: 'src/shop.ts knows no provider and no key',
    similar_features: 'Nothing else in the project charges anybody',
    attempted_inference: 'The issue does not say whether real money moves',
  },
  question: 'Which environment should be configured?',
  options: ['Test mode', 'Production mode', 'Both, chosen by a variable'],
  fallback: { option: 'a', reasoning: 'no real money can move', risk: 'low' },
};

const asMarkdown = `## PM Status: NEEDS_CLARIFICATION

**Blocker Type:** Missing External Data

**Evidence of Exhaustion:**
- Codebase search: src/shop.ts knows no provider,
  no API keys in config/, .env or secrets/
- Similar features: Nothing else in the project charges anybody
- Attempted inference: The issue does not say whether real money moves

**Question:** Which environment should be configured?

**Options:**
a) Test mode
b) Production mode
c) Both, chosen by a variable

**Safe Fallback:** If no response in 5 minutes, proceed with (a) test mode
because no real money can move. This will be logged as medium-confidence assumption.

**Status:** AWAITING_CLARIFICATION`;

interface Planning {
  /** What the project manager says before any answer or refusal. */
  readonly first: object;
  readonly title?: string;
  readonly minutes?: number;
}

async function planning({ first, title = 'Take payments', minutes = 5 }: Planning): Promise<string> {
  const cwd = await aRunnable({
    steps: STEPS,
    script: '[[turns]]\nagent = "coder"\ntext = "Done."',
    config: `${commandAgent('project-manager')}\n[agents.coder]\nrunner = "script"\nscript = "agents.toml"\n`,
    issues: [{ title }],
    files: {
      'src/shop.ts': '',
      'project-manager.mjs': agentProgram(`
        const { answers, refused } = brief;
        const answer = answers.map((one) => one.outcome + ': ' + one.answer).join();
        const plan = refused.length > 0 ? 'refused: ' + refused[0].code : answer === '' ? 'clear' : answer;
        const first = ${JSON.stringify(first)};
        const asks = answers.length === 0 && refused.length === 0;
        reply(asks && Object.keys(first).length > 0 ? first : { artifacts: [{ path: 'plan.md', content: plan }] });
      `),
    },
  });
  setMinutes(cwd, minutes);
  return cwd;
}

function setMinutes(cwd: string, minutes: number): void {
  const path = `${cwd}/.agentx/config.toml`;
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^fallback_minutes = .*$/m, `fallback_minutes = ${minutes}`));
}

const assumptions = (cwd: string) => agentx(cwd, ['assumptions', '--json']).json();
const plan = (cwd: string) => fileOf(cwd, 'plan.md');
const sessions = (cwd: string): unknown[] =>
  Object.values(JSON.parse(fileOf(cwd, '.agentx/state/orchestrator.json')).sessions);
const log = (cwd: string) =>
  fileOf(cwd, '.agentx/state/interactions.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).status);

/** Like a run at a terminal: it stays while humans are asked. */
async function runAndWait(cwd: string): Promise<string> {
  const app = openQuietly(`${cwd}/.agentx`, { ...process.env, AGENTX_TRUST: '1' });
  const { status } = await app.run({ issueNumber: 1, wait: true });
  await untilLocksAreFree();
  return status;
}

/** The id of the first planning request, as soon as it is logged. */
async function askedIn(cwd: string): Promise<string> {
  const path = `${cwd}/.agentx/state/interactions.ndjson`;
  return until(() => (existsSync(path) ? /oq-[0-9a-f]+/.exec(readFileSync(path, 'utf8'))?.[0] : undefined));
}

/** The question that a run waits for. */
function waiting(cwd: string): string {
  const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
  expect(status).toBe(3);
  const [id = ''] = /oq-[0-9a-f]+/.exec(stdout) ?? [];
  return id;
}

describe('planning', () => {
  it('proceeds without a question where the requirements are clear [PM-8/1]', async () => {
    const cwd = await planning({ first: {} });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(plan(cwd)).toBe('clear');
    expect(agentx(cwd, ['inbox', '--all', '--json']).json()).toEqual({ questions: [] });
  });

  it('waits for an answer, goes on with it and records it [PM-8/2] [PM-4/5] [PM-4/7] [PM-4/8]', async () => {
    const cwd = await planning({ first: { needs_clarification: REQUEST } });
    const id = waiting(cwd);
    expect(sessions(cwd)).toMatchObject([{ clarification_pending: true, phase: 'awaiting_clarification' }]);
    expect(agentx(cwd, ['inbox', 'answer', id, '--option', 'c']).status).toBe(0);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(plan(cwd)).toBe('answered: Both, chosen by a variable');
    expect(assumptions(cwd)).toMatchObject({
      assumptions: [{ user_response: 'User confirmed option (c): Both, chosen by a variable', confidence: 'high' }],
    });
    expect(sessions(cwd)).toMatchObject([{ clarification_pending: false, phase: 'planning_complete' }]);
    expect(log(cwd)).toEqual(['pending', 'resolved']);
  });

  it('takes the safe fallback where nobody answers, and still ends [PM-8/3] [PM-4/6] [PM-4/9]', async () => {
    const cwd = await planning({ first: { needs_clarification: REQUEST }, minutes: 0.01 });
    expect(await runAndWait(cwd)).toBe('done');
    expect(plan(cwd)).toBe('fallback_applied: Test mode');
    expect(assumptions(cwd)).toMatchObject({
      assumptions: [{ user_response: 'timeout_assumed', risk_if_wrong: 'low' }],
    });
    expect(log(cwd)).toEqual(['pending', 'timeout']);
  });

  it('decides technical details by itself [PM-8/4] [PM-8/8]', async () => {
    const cwd = await planning({
      first: { open_questions: ['Which test framework should I use?'] },
      title: 'Fix the failing tests',
    });
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    expect(plan(cwd)).toBe('refused: GATE_REFUSED');
    expect(agentx(cwd, ['inbox', '--all', '--json']).json()).toEqual({ questions: [] });
    expect(assumptions(cwd)).toMatchObject({ assumptions: [{ user_response: 'inferred_from_context' }] });
  });

  it('asks which of two requirements holds where they exclude each other [PM-8/6]', async () => {
    const needs_clarification = {
      ...REQUEST,
      blocker_type: 'mutually_exclusive_requirements',
      question: 'Stateless, or with sessions?',
      options: ['Stateless', 'With sessions'],
    };
    const cwd = await planning({
      first: { needs_clarification },
      title: 'Make the API stateless and maintain user sessions',
    });
    const id = waiting(cwd);
    expect(agentx(cwd, ['inbox', 'show', id]).stdout).toContain('  Stateless, or with sessions?\n  a) Stateless');
  });

  it('falls back to the test database without an answer [PM-8/7]', async () => {
    const needs_clarification = {
      ...REQUEST,
      question: 'What is the connection string?',
      options: ['The test database', 'You give the string'],
    };
    const cwd = await planning({
      first: { needs_clarification },
      title: 'Connect to the production database',
      minutes: 0.01,
    });
    expect(await runAndWait(cwd)).toBe('done');
    expect(plan(cwd)).toBe('fallback_applied: The test database');
  });

  it('takes the request as text, answered while the run waits [PM-8/9] [PM-3/10] [PM-4/4]', async () => {
    const cwd = await planning({ first: { text: asMarkdown } });
    const running = runAndWait(cwd);
    const id = await Promise.race([askedIn(cwd), running]);
    // Waiting for a command in place would keep the run from letting go of a lock.
    const { stdout } = await startAgentx(cwd, ['inbox', 'show', id]);
    expect(stdout).toContain(
      '  Blocker: Missing External Data\n  Tried:\n  - Codebase search: src/shop.ts knows no provider, no',
    );
    expect(stdout).toMatch(/ {2}fallback a at 20/);
    expect((await startAgentx(cwd, ['inbox', 'answer', id, '--option', 'c'])).status).toBe(0);
    expect(await running).toBe('done');
    expect(plan(cwd)).toBe('answered: Both, chosen by a variable');
    expect(log(cwd)).toEqual(['pending', 'resolved']);
  });

  it('asks once: a second request is refused [PM-8/5]', async () => {
    const cwd = await aRunnable({
      steps: STEPS,
      script: '[[turns]]\nagent = "coder"\ntext = "Done."',
      config: `${commandAgent('project-manager')}\n[agents.coder]\nrunner = "script"\nscript = "agents.toml"\n`,
      files: {
        'src/shop.ts': '',
        'project-manager.mjs': agentProgram(`
          const request = ${JSON.stringify(REQUEST)};
          const { answers, refused } = brief;
          if (refused.length > 0) reply({ artifacts: [{ path: 'plan.md', content: refused[0].message }] });
          else reply({ needs_clarification: { ...request, question: answers.length === 0 ? request.question : 'And which currency?' } });
        `),
      },
    });
    const id = waiting(cwd);
    agentx(cwd, ['inbox', 'answer', id, '--option', 'a']);
    const { status } = await startAgentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(plan(cwd)).toContain('quota: this session has asked once already');
    expect(assumptions(cwd)).toMatchObject({
      assumptions: [
        { user_response: expect.stringMatching(/^User confirmed/) },
        { user_response: 'inferred_from_context' },
      ],
    });
  });
});

describe('a late answer to a run', () => {
  it('reopens the steps that stood on the fallback [X-3/3] [PM-6/2]', async () => {
    const cwd = await planning({ first: { needs_clarification: REQUEST }, minutes: 0.01 });
    expect(await runAndWait(cwd)).toBe('done');
    const [question] = questionsOf(cwd);
    const { stdout } = agentx(cwd, ['inbox', 'answer', question?.id ?? '', '--option', 'b']);
    expect(stdout).toContain('Artifacts: plan.md');
    const [, choice = ''] = /Answer: agentx inbox answer (oq-[0-9a-f]+)/.exec(stdout) ?? [];
    expect(agentx(cwd, ['inbox', 'answer', choice, '--option', 'rework']).status).toBe(0);
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [{ number: 1 }] });
    expect(assumptions(cwd)).toMatchObject({ assumptions: [{ status: 'rejected', rejection: 'Production mode' }] });
  });

  it('has a run that is not over do them again with it [X-3/3]', async () => {
    const cwd = await planning({ first: { needs_clarification: REQUEST } });
    writeFileSync(`${cwd}/agents.toml`, '[[turns]]\nagent = "coder"\nopen_questions = ["Which endpoint?"]');
    const questions = waiting(cwd);
    await letTimeRunOut(cwd, questions);
    agentx(cwd, ['ready']);
    // The coder asks as well, so that the run waits with the plan done.
    const endpoint = waiting(cwd);
    expect(endpoint).not.toBe(questions);
    expect(plan(cwd)).toBe('fallback_applied: Test mode');
    const { stdout } = agentx(cwd, ['inbox', 'answer', questions, '--option', 'b']);
    const [, choice = ''] = /Answer: agentx inbox answer (oq-[0-9a-f]+)/.exec(stdout) ?? [];
    agentx(cwd, ['inbox', 'answer', choice, '--option', 'rework']);
    expect(waiting(cwd)).toBe(endpoint);
    expect(plan(cwd)).toBe('answered: Production mode');
  });
});

function questionsOf(cwd: string): readonly { readonly id: string }[] {
  const { questions } = JSON.parse(agentx(cwd, ['inbox', '--all', '--json']).stdout);
  return questions;
}
