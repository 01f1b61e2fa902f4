import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run } from '../../../src/protocol/run.js';
import { agentProgram, commandAgent } from './agents.js';
import { agentxCommand, agentxEnvironment } from './agentx.js';
import { aRunnable, fileOf, storeOf } from './runs.js';

const STEPS = `
[[steps]]
id = "requirements"
title = "Requirements"
agent = "product-manager"

[[steps]]
id = "design"
title = "Design"
agent = "ux-designer"
needs = ["requirements"]
can_clarify = ["product-manager"]

[[steps]]
id = "architecture"
title = "Architecture"
agent = "architect"
needs = ["requirements"]

[[steps]]
id = "implement"
title = "Implement"
agent = "engineer"
needs = ["design", "architecture"]
can_clarify = ["architect"]

[[steps]]
id = "review"
title = "Review"
agent = "reviewer"
needs = ["implement"]
`;

/** What an agent says follows from its brief alone, so that it says the same whenever it is asked the same. */
const AGENT = agentProgram(`
  const { step, clarification, clarifications } = brief;
  const turn = clarification ? clarification.id + '/' + clarification.round : step.id + '/' + step.turn;
  appendFileSync('calls', turn + '\\n');
  const done = (path, content) => reply({ artifacts: [{ path, content }], observations: [{ category: 'decision', content: path }] });
  const asked = clarifications.find(({ status }) => status === 'answered');
  if (clarification) reply({ answer: clarification.topic + ': ' + clarification.round });
  else if (step.id === 'requirements') done('prd.md', 'prd');
  else if (step.id === 'architecture') done('adr.md', 'adr');
  else if (step.id === 'design' && step.turn === 1) reply({ clarify: [{ to: 'product-manager', topic: 'Colours', question: 'Which?' }] });
  else if (step.id === 'design') done('ux.md', asked.answer);
  else if (step.id === 'implement' && step.turn === 1) reply({ clarify: [{ to: 'architect', topic: 'Database', question: 'Which?' }], assumptions: [{ decision: 'JSON', reasoning: 'usual', confidence: 'high', risk_if_wrong: 'low' }] });
  else if (step.id === 'implement' && step.turn === 2) reply({ clarify: [{ id: asked.id, to: 'architect', topic: 'Database', question: 'And pools?' }], issues: [{ title: 'Documentation' }] });
  else if (step.id === 'implement') done('health.js', step.attempt + ' ' + (asked ? asked.answer : 'again'));
  else reply({ review: step.attempt === 1 ? { verdict: 'rejected', body: 'Again.' } : { verdict: 'approved' } });
`);

const AGENTS = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'];

/** A run with parallel steps, rounds, an assumption, a new issue, and a review that sends the work back once. */
export async function aKillableRun(): Promise<string> {
  return aRunnable({
    steps: STEPS,
    config: AGENTS.map((agent) => commandAgent(agent, 'agent.mjs')).join('\n'),
    files: { 'agent.mjs': AGENT },
  });
}

/** Runs it, and kills it after so many milliseconds if it is still running. Returns whether it was killed. */
export async function runAndKill(cwd: string, after: number): Promise<boolean> {
  const [node, program] = agentxCommand;
  const child = spawn(node, [program, 'run', '1'], { cwd, env: agentxEnvironment(), stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done(signal ?? code));
  });
  const over = new AbortController();
  const killer = sleep(after, undefined, { signal: over.signal }).then(
    () => child.kill('SIGKILL'),
    () => false,
  );
  const end = await ended;
  over.abort();
  await killer;
  if (end === 'SIGKILL') return true;
  if (end !== 0) throw new Error(`agentx run ended with ${end}`);
  appendFileSync(join(cwd, 'ends'), 'done\n');
  return false;
}

/** Everything that must be the same whether a run was disturbed or not, so without times. */
export async function outcomeOf(cwd: string) {
  const store = storeOf(cwd);
  const [run, ledger, assumptions, issues] = await Promise.all([
    store.runs.read(1),
    store.ledgers.read(1),
    store.assumptions.read(1),
    store.issues.list(),
  ]);
  return {
    status: run?.status,
    // Parallel steps end in any order: what counts is each step's own story.
    steps: storyOf(run),
    clarifications: ledger.clarifications
      .map(({ from, to, topic, status, round, thread }) => ({
        from,
        to,
        topic,
        status,
        round,
        thread: thread.map(({ type, from: author, round: number, body }) => ({ type, author, number, body })),
      }))
      .toSorted((left, right) => left.topic.localeCompare(right.topic)),
    assumptions: assumptions.assumptions_made.map(({ decision, status }) => ({ decision, status })),
    issues: issues.items.map(({ title, status, taskStatus }) => ({ title, status, taskStatus })),
    artifacts: ['prd.md', 'ux.md', 'adr.md', 'health.js'].map((path) => fileOf(cwd, path)),
  };
}

function storyOf(run: Run | undefined): Readonly<Record<string, readonly string[]>> {
  const story: Record<string, string[]> = {};
  for (const entry of run?.journal ?? []) {
    if (!('step' in entry)) continue;
    const { step, type } = entry;
    const facts =
      entry.type === 'turn-ended' ? ` ${entry.turn} ${entry.status} ${entry.acts.map(({ act }) => act)}` : '';
    story[step] = [...(story[step] ?? []), `${type}${facts}`];
  }
  return story;
}

/** How often agents were started. */
export function callsOf(cwd: string): readonly string[] {
  return readFileSync(join(cwd, 'calls'), 'utf8').trimEnd().split('\n');
}
