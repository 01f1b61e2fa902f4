import { describe, expect, it } from 'vitest';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, storeOf } from './support/runs.js';

/* Agents that are programs around a language model: they print what the model says, prose and all. */

const STEPS = `
  [[steps]]
  id = "design"
  title = "Design"
  agent = "architect"
  can_clarify = ["product-manager"]
  [[steps]]
  id = "implement"
  title = "Implement"
  agent = "engineer"
  needs = ["design"]
  can_clarify = ["architect"]
`;

const fence = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const asking = (to: string, topic: string) => ({ clarify: [{ to, topic, question: `What about ${topic}?` }] });

/** Prints the first text whose condition holds. */
const printing = (...texts: readonly (readonly [condition: string, text: string])[]): string =>
  agentProgram(
    texts
      .map(([condition, text]) => `if (${condition}) { console.log(${JSON.stringify(text)}); process.exit(0); }`)
      .join('\n'),
  );

async function aModelRun(programs: Readonly<Record<string, string>>): Promise<string> {
  const agents = Object.keys(programs);
  return aRunnable({
    steps: STEPS,
    script: '[[turns]]\ntext = "Done."\ntimes = 0\n',
    config: `${agents.map((agent) => commandAgent(agent)).join('\n')}`,
    files: Object.fromEntries(agents.map((agent) => [`${agent}.mjs`, programs[agent] ?? ''])),
  });
}

describe('what models print', () => {
  it('asks what stands in JSON behind prose, before a closing sentence', async () => {
    const engineer = printing(
      ['brief.clarifications.length === 0', `I read the issue.\n\n${fence(asking('architect', 'Adapter'))}\n\nI wait.`],
      ['true', 'Built with what was said.'],
    );
    const architect = printing(
      ['brief.kind === "work"', 'Designed.'],
      ['true', `Let me think about {that}.\n\n{"answer": "SQLite."}`],
    );
    const cwd = await aModelRun({ engineer, architect });
    const { status, stdout, stderr } = agentx(cwd, ['run', '1']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('[Engineer -> Architect] Clarification: Adapter (CLR-1-001, round 1/5, blocking)');
    expect(stdout).toContain('[Architect] SQLite.');
    expect(stdout).toContain('I read the issue.');
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications).toMatchObject([
      { status: 'resolved', thread: [{ type: 'question' }, { body: 'SQLite.' }, {}] },
    ]);
  });

  it('has a target ask further upstream that says so beside prose', async () => {
    const architect = printing(
      ['brief.kind === "work"', 'Designed.'],
      ['brief.clarifications.length === 0', `That depends.\n${fence(asking('product-manager', 'Load'))}`],
      ['true', 'SQLite, for a hundred users.'],
    );
    const cwd = await aModelRun({ architect, 'product-manager': printing(['true', 'A hundred.']) });
    const args = ['--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'Adapter', '-q', 'Which?'];
    const { stdout } = agentx(cwd, ['ask', ...args, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', answer: 'SQLite, for a hundred users.' });
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'engineer architect',
      'architect product-manager',
    ]);
  });

  it('has a target ask first what it asks beside an answer, which was not its last word', async () => {
    const both = { answer: 'SQLite, I think.', ...asking('product-manager', 'Load') };
    const architect = printing(
      ['brief.kind === "work"', 'Designed.'],
      ['brief.clarifications.length === 0', JSON.stringify(both)],
      ['true', '{"answer": "PostgreSQL, for a million users."}'],
    );
    const cwd = await aModelRun({ architect, 'product-manager': printing(['true', 'A million.']) });
    const args = ['--issue', '1', '--from', 'engineer', '--to', 'architect', '--topic', 'Adapter', '-q', 'Which?'];
    const { stdout } = agentx(cwd, ['ask', ...args, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'answered', answer: 'PostgreSQL, for a million users.' });
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications).toMatchObject([{ status: 'answered' }, { to: 'product-manager', status: 'resolved' }]);
  });

  it('asks for JSON where a question stands in YAML, and the question is asked', async () => {
    const yaml = '```yaml\nclarify:\n  - to: architect\n    topic: Adapter\n    question: SQLite, or PostgreSQL?\n```';
    const engineer = printing(
      ['brief.clarifications.length > 0', 'Built with what was said.'],
      ['brief.prompt.includes("its clarify is not JSON")', fence(asking('architect', 'Adapter'))],
      ['true', `I read the issue.\n\n${yaml}`],
    );
    const architect = printing(['brief.kind === "work"', 'Designed.'], ['true', 'SQLite.']);
    const cwd = await aModelRun({ engineer, architect });
    const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
    expect(status, stdout).toBe(0);
    expect(stdout).toContain('[Architect] SQLite.');
    const { clarifications } = await storeOf(cwd).ledgers.read(1);
    expect(clarifications).toMatchObject([{ topic: 'Adapter', status: 'resolved' }]);
  });

  it('takes no JSON that is meant as a reply for the work itself: a human is told what is wrong with it', async () => {
    const engineer = printing(['true', 'Here is my question:\n\n```json\n{"clarify": [{"to": "architect",}]}\n```']);
    const cwd = await aModelRun({ engineer });
    const { status, stdout } = agentx(cwd, ['run', '1', '--no-wait']);
    expect(status).toBe(3);
    expect(stdout).toContain('no comma before a closing bracket');
    const { items } = await storeOf(cwd).questions.list({ status: 'open' });
    expect(items).toMatchObject([{ kind: 'agent_failed' }]);
  });
});
