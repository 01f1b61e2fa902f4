import { describe, expect, it } from 'vitest';
import { type AgentxResult, agentx } from './support/agentx.js';
import { aRunnable } from './support/runs.js';

/** As it was before steps could say whom they ask. */
const STEPS = `
[[steps]]
id = "code"
title = "Code"
agent = "engineer"
output = "docs/{{slug}}.md"
`;

const ISSUES = [{ title: 'Health endpoint' }, { title: 'Search', labels: ['priority:p1'] }, { title: 'Export' }];
const SCRIPT = `
[[turns]]
agent = "engineer"
text = "Built."
`;

/** What each of the commands says of issues 1 and 2, without the times. */
function transcriptOf(cwd: string): readonly unknown[] {
  const told = ({ status, stdout, stderr }: AgentxResult) => ({
    status,
    stdout: stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/\d+(\.\d+)?s\b/g, 'DURATION'),
    stderr: stderr.replaceAll(cwd, 'HERE'),
  });
  return [
    ['init'],
    ['issue', 'list', '--json'],
    ['issue', 'show', '1'],
    ['issue', 'comment', '1', '-b', 'Soon.'],
    ['issue', 'create', '-t', 'Fourth', '-l', 'type:bug'],
    ['issue', 'close', '4'],
    ['issue', 'reopen', '4'],
    ['issue', 'show', '4', '--json'],
    ['state', 'set', 'reviewer', 'working', '--issue', '2'],
    ['run', '1', '--no-wait'],
    ['run', '1', '--no-wait'],
    ['issue', 'show', '1', '--json'],
    ['inbox'],
    ['assumptions', '--issue', '1'],
    ['completion', 'bash'],
    ['trust'],
  ].map((args) => [args.join(' '), told(agentx(cwd, args))]);
}

describe('the commands that are not about clarifications', () => {
  it('say and do the same whether or not agents clarify things on other issues [CL-1/7]', async () => {
    const plain = await aRunnable({ steps: STEPS, script: SCRIPT, issues: ISSUES });
    const clarifying = await aRunnable({
      steps: STEPS.replace('output', 'can_clarify = ["architect"]\nclarify_max_rounds = 2\noutput'),
      script: `${SCRIPT}\n[[turns]]\nagent = "architect"\nanswer = "SQLite."\n`,
      issues: ISSUES,
    });
    const parties = ['--from', 'engineer', '--to', 'architect', '--topic', 'Database', '-q', 'Which?'];
    expect(agentx(clarifying, ['ask', '--issue', '3', ...parties]).status).toBe(0);
    const before = transcriptOf(plain);
    expect(before).toHaveLength(16);
    expect(transcriptOf(clarifying)).toEqual(before);
    expect(before).toContainEqual(['run 1 --no-wait', expect.objectContaining({ status: 0 })]);
  });
});
