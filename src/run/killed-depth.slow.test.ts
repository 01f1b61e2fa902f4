import { describe, expect, it } from 'vitest';
import { type Death, dyingStore } from '../../test/builders/dying-store.js';
import { fixedClock } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { somewhereUpTo } from '../../test/support/mode.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { askHumans } from '../inbox/ask.js';
import type { Store } from '../ports/store.js';
import type { Brief } from '../protocol/brief.js';
import type { Reply } from '../protocol/reply.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { runIssue } from './run-issue.js';

/* The engineer asks the architect, which asks the product manager, which asks a human; killed at every write. */

const WORKFLOW = steps(
  { id: 'prd', agent: 'product-manager' },
  { id: 'adr', agent: 'architect', needs: ['prd'], can_clarify: ['product-manager'] },
  { id: 'code', agent: 'engineer', needs: ['adr'], can_clarify: ['architect'] },
);

const heard = ({ clarifications }: Brief, topic: string) =>
  clarifications.find((one) => one.topic === topic && (one.answer ?? one.summary) !== undefined);

function say(brief: Brief): string | Reply {
  const { agent, kind, answers } = brief;
  if (agent === 'engineer' && heard(brief, 'Database') === undefined) {
    return { clarify: [{ to: 'architect', topic: 'Database', question: 'Which?' }] };
  }
  if (kind === 'work') return 'Done.';
  if (agent === 'architect') {
    if (heard(brief, 'Load') !== undefined) return 'SQLite.';
    return { clarify: [{ to: 'product-manager', topic: 'Load', question: 'How much?' }] };
  }
  return answers.length > 0 ? `Little: ${answers[0]?.answer}` : { open_questions: ['How many users?'] };
}

interface World {
  readonly store: Store;
  readonly clock: ReturnType<typeof fixedClock>;
}

async function aProcess({ store, clock }: World, death: Death = { at: 0, isWritten: false }) {
  const dying = dyingStore(store, death);
  const turns = { 'product-manager': [say], architect: [say], engineer: [say] };
  const hub = await aRunHub({ store: dying.store, clock, issues: 0, workflow: WORKFLOW, turns });
  const ports: TestRun = { ...hub, humans: { ask: (asking) => askHumans(hub, asking) } };
  return { hub: ports, writes: dying.writes };
}

async function aWorld(): Promise<World> {
  const store = openInMemoryStore();
  await aRunHub({ store, issues: 1 });
  return { store, clock: fixedClock() };
}

async function untilDone(world: World, hub: TestRun): Promise<void> {
  for (let paused = 0; paused < 100; paused++) {
    const { status, waitingOn } = await runIssue(hub, { issueNumber: 1, wait: false });
    if (status !== 'paused') return;
    const { hub: outside } = await aProcess(world);
    for (const id of waitingOn) {
      await answerQuestion(outside, { id, text: 'A hundred.', by: { principal: 'ada', channel: 'cli' } });
    }
  }
  throw new Error('The run pauses again and again.');
}

async function endOf({ store }: World) {
  const { clarifications } = await store.ledgers.read(1);
  return {
    clarifications: clarifications.map(({ from, to, status, round, within, thread }) => ({
      from,
      to,
      status,
      round,
      within,
      thread: thread.map(({ from: by, body }) => `${by}: ${body}`),
    })),
    questions: (await store.questions.list()).items.map(({ askedBy, outcome }) => ({ ...askedBy, outcome })),
    status: (await store.runs.read(1))?.status,
  };
}

describe('a run in which a human is asked at depth three', () => {
  it.each([true, false])('ends the same wherever it is killed (the write done: %s)', async (isWritten) => {
    const undisturbed = await aWorld();
    const whole = await aProcess(undisturbed);
    await untilDone(undisturbed, whole.hub);
    const end = await endOf(undisturbed);
    expect(end).toMatchObject({
      clarifications: [
        { status: 'resolved', thread: expect.arrayContaining(['architect: SQLite.']) },
        {
          status: 'resolved',
          within: 'CLR-1-001',
          thread: expect.arrayContaining(['product-manager: Little: A hundred.']),
        },
      ],
      questions: [
        { agent: 'product-manager', chain: ['engineer', 'architect', 'product-manager'], outcome: 'answered' },
      ],
      status: 'done',
    });
    for (const at of somewhereUpTo(whole.writes())) {
      const world = await aWorld();
      const { hub } = await aProcess(world, { at, isWritten });
      await untilDone(world, hub).catch(() => undefined);
      const next = await aProcess(world);
      await untilDone(world, next.hub);
      expect([at, await endOf(world)]).toEqual([at, end]);
      const told = next.hub.briefs.filter(({ answers }) => answers.length > 0).map(({ agent }) => agent);
      expect([at, told.filter((agent) => agent !== 'product-manager')]).toEqual([at, []]);
    }
  });
});
