import { describe, expect, it } from 'vitest';
import { type Death, dyingStore } from '../../test/builders/dying-store.js';
import { fixedClock } from '../../test/builders/hub.js';
import { type LoopRunnerOptions, loopRunner, type ToolCall } from '../../test/builders/loop-runner.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { somewhereUpTo } from '../../test/support/mode.js';
import { answerQuestion } from '../inbox/answer-question.js';
import { askHumans } from '../inbox/ask.js';
import type { Store } from '../ports/store.js';
import type { Brief } from '../protocol/brief.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { runIssue } from './run-issue.js';

/* Three agents that are loops of tool calls: each stops at one that asks, and goes on with the answer as its result. */

const WORKFLOW = steps(
  { id: 'prd', agent: 'product-manager' },
  { id: 'adr', agent: 'architect', needs: ['prd'], can_clarify: ['product-manager'] },
  { id: 'code', agent: 'engineer', needs: ['adr'], can_clarify: ['architect'] },
);

const asks = (to: string, topic: string) => (call: string) => ({
  clarify: [{ to, topic, question: `What about ${topic}?`, call }],
});

function callsOf({ agent, kind }: Brief): readonly ToolCall[] {
  if (agent === 'engineer') {
    return [
      { call: 'look' },
      { call: 'ask-nobody', asks: asks('reviewer', 'Style') },
      { call: 'ask', asks: asks('architect', 'Database') },
      { call: 'write' },
    ];
  }
  if (kind === 'work') return [{ call: 'plan' }];
  if (agent === 'architect') return [{ call: 'read' }, { call: 'ask', asks: asks('product-manager', 'Load') }];
  return [
    { call: 'think' },
    { call: 'ask', asks: (call) => ({ open_questions: [{ text: 'How many users?', call }] }) },
    { call: 'note' },
  ];
}

interface World {
  readonly store: Store;
  readonly clock: ReturnType<typeof fixedClock>;
  readonly ran: LoopRunnerOptions['ran'];
}

async function aWorld(): Promise<World> {
  const store = openInMemoryStore();
  await aRunHub({ store, issues: 1 });
  return { store, clock: fixedClock(), ran: [] };
}

async function aProcess({ store, clock, ran }: World, death: Death = { at: 0, isWritten: false }) {
  const dying = dyingStore(store, death);
  const runner = loopRunner({ calls: callsOf, ran });
  const hub = await aRunHub({ store: dying.store, clock, issues: 0, workflow: WORKFLOW });
  const ports: TestRun = {
    ...hub,
    runnerFor: () => runner,
    humans: { ask: (asking) => askHumans(hub, asking) },
  };
  return { ports, writes: dying.writes };
}

/** Every turn of the run may have a process of its own. */
async function untilDone(world: World, ports: TestRun): Promise<void> {
  for (let paused = 0; paused < 100; paused++) {
    const { status, waitingOn } = await runIssue(ports, { issueNumber: 1, wait: false });
    if (status !== 'paused') return;
    const outside = await aProcess(world);
    for (const id of waitingOn) {
      const by = { principal: 'ada', channel: 'cli' } as const;
      await answerQuestion(outside.ports, { id, text: 'A hundred.', by });
    }
  }
  throw new Error('The run pauses again and again.');
}

async function endOf({ store }: World) {
  const { clarifications } = await store.ledgers.read(1);
  const sessions = (await store.sessions.list({ issue: 1 })).items;
  return {
    status: (await store.runs.read(1))?.status,
    answers: clarifications.map(({ to, thread }) => `${to}: ${thread.find(({ type }) => type === 'answer')?.body}`),
    said: sessions.map(({ step, turns }) => `${step}: ${turns.at(-1)?.reply?.text}`).toSorted(),
  };
}

const END = {
  status: 'done',
  answers: [
    'architect: read done; ask answered: think done; ask answered: A hundred.; note done',
    'product-manager: think done; ask answered: A hundred.; note done',
  ],
  said: [
    'adr: plan done',
    "code: look done; ask-nobody refused: Agent 'engineer' cannot clarify with 'reviewer'. Allowed: architect. The list " +
      "is can_clarify of step 'code' in .agentx/workflows/feature.toml, line 31.; ask answered: read done; ask answered: " +
      'think done; ask answered: A hundred.; note done; write done',
    'prd: plan done',
  ],
};

describe('agents that carry a conversation across turns', () => {
  it('go on with the answers as the results of their calls, and do nothing twice', async () => {
    const world = await aWorld();
    await untilDone(world, (await aProcess(world)).ports);
    expect(await endOf(world)).toEqual(END);
    const calls = ['plan', 'plan', 'look', 'read', 'think', 'note', 'write'];
    expect(world.ran.map(({ call }) => call)).toEqual(calls);
  });

  it.each([true, false])('end the same wherever they are killed (the write done: %s)', async (isWritten) => {
    const undisturbed = await aWorld();
    const whole = await aProcess(undisturbed);
    await untilDone(undisturbed, whole.ports);
    for (const at of somewhereUpTo(whole.writes())) {
      const world = await aWorld();
      const { ports } = await aProcess(world, { at, isWritten });
      await untilDone(world, ports).catch(() => undefined);
      const next = await aProcess(world);
      await untilDone(world, next.ports);
      expect([at, await endOf(world)]).toEqual([at, END]);
      // A kept call is not repeated; only one whose keeping was cut off may be.
      const kept = world.ran.filter(({ isKept }) => isKept).map(({ agent, call }) => `${agent} ${call}`);
      expect([at, kept.toSorted()]).toEqual([at, [...new Set(kept)].toSorted()]);
      expect(world.ran.filter(({ isKept }) => !isKept).length).toBeLessThan(2);
    }
  });
});
