import { expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx, aRepository } from './support/agentx.js';
import { storeOf } from './support/runs.js';

const STEPS = `[workflow]
name = "story"

[[steps]]
id = "design"
title = "Design"
agent = "architect"
[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
needs = ["design"]
can_clarify = ["architect"]
`;

it('a thread keeps who said what in the name of the human, whatever verb they used [X-8/1]', async () => {
  const cwd = await aRepository({
    issues: [{ title: 'Health endpoint' }],
    config: commandAgent('architect'),
    files: {
      '.agentx/workflows/story.toml': STEPS,
      'architect.mjs': agentProgram("reply({ answer: 'The adapter.' });"),
    },
  });
  const as = (user: string, ...args: readonly string[]) => agentx(cwd, args, { env: { USER: user } });
  const ask = (topic: string) =>
    as('ada', 'ask', '--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', topic, '-q', 'Which?');
  ask('Database');
  expect(as('bob', 'clarify', 'follow-up', 'CLR-1-001', '-q', 'In tests too?').status).toBe(0);
  expect(as('carol', 'clarify', 'resolve', 'CLR-1-001', '-m', 'Clear.').status).toBe(0);
  ask('Cache');
  const escalated = as('dave', 'clarify', 'escalate', 'CLR-1-002', '-m', 'Nobody knows.', '--json');
  expect(escalated.status).toBe(3);
  const [question] = (await storeOf(cwd).questions.listOpen()).items;
  expect(as('erin', 'inbox', 'answer', question?.id ?? '', '-m', 'None at all.').status).toBe(0);

  const { clarifications } = await storeOf(cwd).ledgers.read(1);
  const said = clarifications.flatMap(({ thread }) =>
    thread.map(({ type, from, principal }) => [type, from, principal]),
  );
  expect(said).toEqual([
    ['question', 'engineer', undefined],
    ['answer', 'architect', undefined],
    ['question', 'human', 'bob'],
    ['answer', 'architect', undefined],
    ['resolution', 'human', 'carol'],
    ['question', 'engineer', undefined],
    ['answer', 'architect', undefined],
    ['escalation', 'agent-x', 'dave'],
    ['resolution', 'human', 'erin'],
  ]);
  expect(as('ada', 'clarify', 'show', 'CLR-1-002').stdout).toContain('[RESOLVED] human (erin)');
});
