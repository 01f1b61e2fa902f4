import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentx, aRepository } from './support/agentx.js';

const CONFIG = `
[agents.architect]
runner = "script"
script = "turns.toml"
[agents.product-manager]
runner = "human"
[agents.tester]
runner = "command"
command = ["node", "tester.mjs"]
`;
const ARCHITECT = { env: { AGENTX_AGENT: 'architect' } };
const ENGINEER = { env: { AGENTX_AGENT: 'engineer' } };

async function repository(): Promise<string> {
  const cwd = await aRepository({
    issues: [{ title: 'Health endpoint', labels: ['type:feature'] }],
    config: CONFIG,
    files: { 'turns.toml': '[[turns]]\ntimes = 0\nanswer = "Repository pattern."' },
  });
  ask(cwd, 'architect');
  return cwd;
}

function ask(cwd: string, to: string): void {
  agentx(cwd, ['ask', '--issue', '1', '--from', 'engineer', '--to', to, '--topic', 'Database', '-q', 'Which?']);
}

/** Everything stored, except derived files and the times of agents' last signs of life. */
function filesIn(cwd: string): readonly string[] {
  const root = join(cwd, '.agentx');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/](?:logs|index)$/.test(entry.parentPath))
    .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), 'utf8')}`)
    .map((text) => text.replace(/"(?:lastActivity|since)": ".*"/g, ''))
    .toSorted();
}

/** The second time ends like the first, reports no error, and leaves everything as it was. */
function twice(cwd: string, args: readonly string[], { env = {} }: { env?: Record<string, string> } = {}) {
  const first = agentx(cwd, args, { env });
  // The next command, whatever it is, completes what follows from the first.
  agentx(cwd, ['inbox']);
  const before = filesIn(cwd);
  const { status, stdout, stderr } = agentx(cwd, args, { env });
  expect({ status, stderr }, args.join(' ')).toEqual({ status: first.status, stderr: first.stderr });
  expect(filesIn(cwd), args.join(' ')).toEqual(before);
  return { status, stdout };
}

describe('the same once more', () => {
  it('is no error and changes nothing when agents and people settle a clarification [CL-1/11]', async () => {
    const cwd = await repository();
    const answer = ['clarify', 'answer', 'CLR-1-001', '-m', 'Repository pattern.'];
    expect(twice(cwd, answer, ARCHITECT).status).toBe(0);
    expect(twice(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Fine.'], ENGINEER).status).toBe(0);
    expect(twice(cwd, answer, ARCHITECT).status).toBe(0);
    ask(cwd, 'architect');
    expect(twice(cwd, ['clarify', 'escalate', 'CLR-1-002', '-m', 'It touches the budget.']).status).toBe(3);
    expect(twice(cwd, ['clarify', 'resolve', 'CLR-1-002', '-m', 'Two adapters.']).status).toBe(0);
  });

  it.each([
    ['with words', ['answer', '-m', 'SQLite.'], 'answered'],
    ['with an option', ['answer', '--option', 'a'], 'answered'],
    ['without deciding', ['decline'], 'declined'],
    ['without looking', ['dismiss'], 'dismissed'],
  ])('is no error where a human answers %s', async (_, [verb = '', ...options], outcome) => {
    const cwd = await repository();
    ask(cwd, 'product-manager');
    const [, id = ''] = /(oq-\w+)/.exec(agentx(cwd, ['inbox']).stdout) ?? [];
    const { status, stdout } = twice(cwd, ['inbox', verb, id, ...options]);
    expect(status).toBe(0);
    expect(stdout).toContain(`${id} is ${outcome}.\nCLR-1-002 is resolved; engineer can go on.\n`);
  });

  it('is no error for an issue, an agent, a program or the folder itself', async () => {
    const cwd = await repository();
    for (const command of [
      ['init'],
      ['trust', '--yes'],
      ['issue', 'close', '1'],
      ['issue', 'reopen', '1'],
      ['hook', 'start', 'engineer', '1'],
      ['hook', 'finish', 'engineer', '1'],
      ['state', 'set', 'engineer', 'stuck', '--issue', '1'],
      ['ready'],
      ['doctor', '--repair'],
    ]) {
      expect(twice(cwd, command).status).toBe(0);
    }
  });

  it('is refused, or said to be too late, where it is not the same', async () => {
    const cwd = await repository();
    const refusedWith = (args: readonly string[], problem: string, env = {}) =>
      expect(agentx(cwd, args, { env })).toMatchObject({ status: 1, stderr: expect.stringContaining(problem) });
    const answered = "CLR-1-001 is answered, which does not take 'answer'";
    refusedWith(['clarify', 'answer', 'CLR-1-001', '-m', 'SQLite.'], answered, ARCHITECT.env);
    agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'Fine.']);
    expect(agentx(cwd, ['clarify', 'resolve', 'CLR-1-001', '-m', 'SQLite.'])).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(
        'note: CLR-1-001 was resolved before, and what you say is not added. What was decided: Fine.\n',
      ),
    });
    ask(cwd, 'architect');
    agentx(cwd, ['clarify', 'escalate', 'CLR-1-002', '-m', 'It touches the budget.']);
    expect(agentx(cwd, ['clarify', 'escalate', 'CLR-1-002', '-m', 'They disagree.'])).toMatchObject({
      status: 3,
      stderr:
        'note: CLR-1-002 was escalated before, and what you say is not added. Why it was: It touches the budget.\n' +
        'CLR-1-002 is escalated (round 1/5).\n',
    });
  });
});
