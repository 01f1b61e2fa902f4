import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, fileOf } from './support/runs.js';

/** A run of one step whose agent asks first, and says the rest again, or something else, when it has the answer. */
async function asking(agent: string, { first, after }: { readonly first: object; readonly after: string }) {
  return aRunnable({
    steps: `[[steps]]\nid = "step"\ntitle = "Step"\nagent = "${agent}"\n`,
    config: commandAgent(agent),
    files: {
      [`${agent}.mjs`]: agentProgram(`
        const [answer] = brief.answers.map((one) => one.answer);
        reply(answer === undefined ? ${JSON.stringify(first)} : ${after});
      `),
    },
  });
}

function pausedAt(cwd: string): string {
  const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
  expect(status).toBe(3);
  return /oq-[0-9a-f]+/.exec(stdout)?.[0] ?? '';
}

function goOn(cwd: string, id: string, ...answer: readonly string[]): void {
  expect(agentx(cwd, ['inbox', 'answer', id, ...answer]).status).toBe(0);
  expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(0);
}

const titles = (cwd: string): string[] =>
  JSON.parse(agentx(cwd, ['issue', 'list', '--json']).stdout).issues.map(({ title }: { title: string }) => title);

describe('an agent that asks', () => {
  it('as an analyst creates no task before it has its answer [OQ-3/1] [OQ-3/5]', async () => {
    const cwd = await asking('analyst', {
      first: {
        open_questions: [
          { text: 'What is slow?', options: [{ label: 'Search', pros: ['often used'] }, { label: 'Login' }] },
        ],
        issues: [{ title: 'Make it faster' }],
        source: { kind: 'eval', id: 'feedback-7' },
      },
      after: "{ issues: [{ title: 'Faster: ' + answer }], text: 'One task.' }",
    });
    const id = pausedAt(cwd);
    expect(titles(cwd)).toEqual(['Health endpoint']);
    expect(agentx(cwd, ['inbox', 'show', id, '--json']).json()).toMatchObject({
      source: 'eval',
      sourceId: 'feedback-7',
    });
    goOn(cwd, id, '--option', 'a');
    expect(titles(cwd)).toContain('Faster: Search');
  });

  it.each([
    ['dreamer', 'PRD.md'],
    ['planner', 'PLAN.md'],
  ])('as a %s writes down nothing before it has its answer [OQ-3/2] [OQ-3/3] [OQ-3/5]', async (agent, path) => {
    const cwd = await asking(agent, {
      first: {
        open_questions: ['Which users?'],
        artifacts: [{ path, content: 'for somebody' }],
        issues: [{ title: 'A part of it' }],
      },
      after: `{ artifacts: [{ path: '${path}', content: 'for ' + answer }], text: 'Written.' }`,
    });
    const id = pausedAt(cwd);
    expect(existsSync(join(cwd, path))).toBe(false);
    expect(titles(cwd)).toEqual(['Health endpoint']);
    goOn(cwd, id, '-m', 'nurses');
    expect(fileOf(cwd, path)).toBe('for nurses');
  });

  it('as a coder pauses instead of guessing, and goes on with the answer [OQ-3/4] [OQ-6/6]', async () => {
    const cwd = await asking('coder', {
      first: { status: 'failed', open_questions: ['Which endpoint?'] },
      after: "{ artifacts: [{ path: 'src/health.js', content: answer }], text: 'Done.' }",
    });
    const id = pausedAt(cwd);
    expect(agentx(cwd, ['issue', 'show', '1', '--json']).json()).toMatchObject({
      taskStatus: 'blocked',
      block_reason: 'Open Question',
      assignee: null,
    });
    agentx(cwd, ['inbox', 'answer', id, '-m', '/health']);
    expect(agentx(cwd, ['ready', '--json']).json()).toMatchObject({ ready: [{ number: 1 }] });
    expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(0);
    expect(fileOf(cwd, 'src/health.js')).toBe('/health');
  });
});

describe('autonomy', () => {
  const proposing = (level: string, reply: object) =>
    aRunnable({
      steps: '[[steps]]\nid = "step"\ntitle = "Step"\nagent = "coder"\n',
      config: commandAgent('coder'),
      files: {
        'coder.mjs': agentProgram(`
          const config = readFileSync('.agentx/state/tasks/issue-1/config.json', 'utf8');
          appendFileSync('seen', JSON.stringify({ config: JSON.parse(config), prompt: brief.prompt }) + '\\n');
          const isRejected = brief.answers.some(({ answer }) => answer === 'Reject');
          reply(isRejected ? { text: 'Without it, then.' } : ${JSON.stringify(reply)});
        `),
      },
    }).then((cwd) => withLevel(cwd, level));

  function withLevel(cwd: string, level: string): string {
    const path = join(cwd, '.agentx/config.toml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^level = .*$/m, level));
    return cwd;
  }

  const manifest = { artifacts: [{ path: 'package.json', content: '{"dependencies":{}}' }], text: 'Done.' };

  it('is told to agents in their prompt and in the folder of the task [OQ-7/4] [OQ-7/5]', async () => {
    const cwd = await proposing('level = "full"\nscope_changes = "notify_and_proceed"', { text: 'Done.' });
    expect(agentx(cwd, ['run', '1', '--no-wait']).status).toBe(0);
    const { config, prompt } = JSON.parse(fileOf(cwd, 'seen'));
    expect(config).toMatchObject({
      taskId: '1',
      hilConfig: { scopeChanges: 'notify_and_proceed', architectureDecisions: 'automated' },
    });
    expect(prompt).toContain('Scope changes: Notify user but proceed');
    expect(prompt).toContain('Dependency modifications: Full autonomy: proceed without confirmation');
  });

  it('lets a change pass, tells of it, or holds it until a person approves [OQ-7/6] [OQ-7/7] [OQ-7/8]', async () => {
    const free = await proposing('level = "full"', manifest);
    expect(agentx(free, ['run', '1', '--no-wait']).status).toBe(0);
    expect(agentx(free, ['inbox', '--all', '--json']).json()).toEqual({ questions: [] });

    const told = await proposing('level = "full"\ndependency_modifications = "notify_and_proceed"', manifest);
    expect(agentx(told, ['run', '1', '--no-wait']).status).toBe(0);
    expect(existsSync(join(told, 'package.json'))).toBe(true);
    expect(agentx(told, ['inbox', '--json']).json()).toMatchObject({
      questions: [{ kind: 'approval', blocking: false }],
    });

    const held = await proposing('level = "confirm_all"', manifest);
    const id = pausedAt(held);
    expect(existsSync(join(held, 'package.json'))).toBe(false);
    goOn(held, id, '--option', 'approve');
    expect(existsSync(join(held, 'package.json'))).toBe(true);
  });

  it('writes nothing that was rejected', async () => {
    const cwd = await proposing('level = "confirm_all"', manifest);
    goOn(cwd, pausedAt(cwd), '--option', 'reject');
    expect(existsSync(join(cwd, 'package.json'))).toBe(false);
  });
});
