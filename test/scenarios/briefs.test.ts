import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Brief } from '../../src/protocol/brief.js';
import { agentProgram, commandAgent } from './support/agents.js';
import { agentx } from './support/agentx.js';
import { aRunnable, storeOf } from './support/runs.js';

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
`;

/** Keeps its brief and does as the test says. */
const noting = (body: string): string =>
  agentProgram(`
    import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
    mkdirSync('told', { recursive: true });
    const told = readdirSync('told').filter((name) => name.startsWith(brief.agent)).length;
    writeFileSync('told/' + brief.agent + told + '.json', JSON.stringify(brief));
    ${body}
  `);

const asking = (fields: string): string => `reply({ clarify: [{ to: 'architect', topic: 'Adapter', ${fields} }] });`;

const toldTo = (cwd: string, agent: string): readonly Brief[] =>
  readdirSync(join(cwd, 'told'))
    .filter((name) => name.startsWith(agent))
    .toSorted()
    .map((name): Brief => JSON.parse(readFileSync(join(cwd, 'told', name), 'utf8')));

const ARCHITECT = noting(
  "reply(brief.kind === 'work' ? { text: 'Designed.' } : { answer: 'Answer ' + brief.clarification.round + '.' });",
);

async function aRun(engineer: string, steps = STEPS): Promise<string> {
  return aRunnable({
    steps,
    config: `${commandAgent('engineer')}${commandAgent('architect')}`,
    files: { 'engineer.mjs': noting(engineer), 'architect.mjs': ARCHITECT },
  });
}

describe('what an agent is told', () => {
  it('is every round of a clarification that is open for it, and the summary of one that is over [US-2.2/2]', async () => {
    const cwd = await aRun(`
      if (told === 0) ${asking("question: 'SQLite or PostgreSQL?'")}
      else if (told < 3) ${asking("question: 'And then, ' + told + '?', id: 'CLR-1-001'")}
      else reply(told === 3 ? { status: 'continue' } : { text: 'Done.' });
    `);
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    const [, , , fourth, fifth] = toldTo(cwd, 'engineer');
    const entries = ['SQLite or PostgreSQL?', 'Answer 1.', 'And then, 1?', 'Answer 2.', 'And then, 2?', 'Answer 3.'];
    expect(fourth?.clarifications).toMatchObject([
      { id: 'CLR-1-001', status: 'answered', answer: 'Answer 3.', round: 3 },
    ]);
    expect(fourth?.clarifications[0]?.thread?.map(({ body }) => body)).toEqual(entries);
    const places = entries.map((body) => fourth?.prompt.indexOf(body) ?? -1);
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places[0]).toBeGreaterThan(0);
    expect(fifth?.clarifications).toMatchObject([
      { status: 'resolved', summary: expect.stringContaining('Answer 3.') },
    ]);
    expect(fifth?.clarifications[0]).not.toHaveProperty('thread');
  });

  it('begins with the instructions for its role, as they are now', async () => {
    const cwd = await aRun(`
      if (told === 0) ${asking("question: 'Which?'")} else reply({ text: 'Done.' });
    `);
    writeFileSync(join(cwd, '.agentx/agents/engineer.md'), '\ufeff# Engineer of this shop\n\nNo new dependencies.\n');
    expect(agentx(cwd, ['run', '1']).status).toBe(0);
    const shipped = readFileSync(join(cwd, '.agentx/agents/architect.md'), 'utf8').trim();
    for (const brief of toldTo(cwd, 'engineer')) {
      expect(brief.role).toBe('# Engineer of this shop\n\nNo new dependencies.');
      expect(brief.prompt.startsWith(`${brief.role}\n\n`)).toBe(true);
    }
    expect(toldTo(cwd, 'architect').map(({ kind, role }) => ({ kind, role }))).toEqual([
      { kind: 'work', role: shipped },
      { kind: 'answer', role: shipped },
    ]);
    expect(toldTo(cwd, 'architect').every(({ prompt }) => prompt.startsWith(shipped))).toBe(true);
  });

  it('has no role where nothing is written about it, and an error where it cannot be read', async () => {
    const cwd = await aRun("reply({ text: 'Done.' });");
    rmSync(join(cwd, '.agentx/agents/architect.md'));
    rmSync(join(cwd, '.agentx/agents/engineer.md'));
    mkdirSync(join(cwd, '.agentx/agents/engineer.md'));
    const { status, stderr } = agentx(cwd, ['run', '1']);
    expect(status).toBe(1);
    expect(stderr).toContain('agents/engineer.md');
    expect(toldTo(cwd, 'architect')[0]).not.toHaveProperty('role');
  });

  it('is that its questions cannot block, where they cannot, and one that says nothing of it does not', async () => {
    const cwd = await aRun(
      `if (told === 0) ${asking("question: 'Which?'")} else reply({ text: 'Done.' });`,
      `${STEPS}\n  clarify_blocking_allowed = false\n`,
    );
    const { status, stdout } = agentx(cwd, ['run', '1']);
    expect(status).toBe(0);
    expect(stdout).toContain('(CLR-1-001, round 1/6, non-blocking)');
    const [first, second] = toldTo(cwd, 'engineer');
    expect(first?.step).toMatchObject({ clarify_blocking_allowed: false });
    expect(first?.prompt).toMatch(/cannot wait for the answer/);
    expect(second?.refused).toEqual([]);
    expect((await storeOf(cwd).ledgers.read(1)).clarifications).toMatchObject([{ blocking: false }]);
  });
});
