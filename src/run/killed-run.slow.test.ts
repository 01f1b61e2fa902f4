import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Death, dyingStore } from '../../test/builders/dying-store.js';
import { fixedClock, type Turn } from '../../test/builders/hub.js';
import { aRunHub, steps, type TestRun } from '../../test/builders/run-ports.js';
import { repetitions, somewhereUpTo } from '../../test/support/mode.js';
import { answerQuestion } from '../inbox/answer-question.js';
import type { Store } from '../ports/store.js';
import type { Brief } from '../protocol/brief.js';
import type { RunResult } from '../protocol/events.js';
import type { Reply } from '../protocol/reply.js';
import { createRun, type JournalEntry, type Run, type RunEvent, transition } from '../protocol/run.js';
import { openInMemoryStore } from '../storage/in-memory/store.js';
import { runIssue } from './run-issue.js';

/* One run with everything in it, killed at every write it makes, before and after the write; then another goes on. */

const WORKFLOW = steps(
  { id: 'prd', agent: 'product-manager', output: 'docs/PRD.md' },
  { id: 'ux', agent: 'ux-designer', needs: ['prd'], can_clarify: ['product-manager'] },
  { id: 'adr', agent: 'architect', needs: ['prd'], can_clarify: ['product-manager'], status_on_start: 'In Progress' },
  { id: 'data', agent: 'data-scientist', needs: ['prd'], condition: 'label:data' },
  { id: 'code', agent: 'engineer', needs: ['ux', 'adr'], can_clarify: ['architect'], clarify_max_rounds: 2 },
  { id: 'review', agent: 'reviewer', needs: ['code'], status_on_complete: 'Done' },
);

const ask = (fields: Readonly<Record<string, unknown>>) => ({
  to: 'architect',
  topic: 'Database',
  question: 'Which database?',
  ...fields,
});

/** What each agent says in each turn of its step. */
const SAID: Readonly<Record<string, Reply | Error>> = {
  'prd/1': { open_questions: [{ text: 'Which region?', options: ['EU', 'US'] }], issues: [{ title: 'Billing' }] },
  'prd/2': { text: 'The requirements.' },
  'ux/1': { clarify: [ask({ to: 'product-manager', topic: 'Colour', question: 'Which colour?' })] },
  'ux/2': { artifacts: [{ path: 'docs/UX.md', content: 'Blue.' }], assumptions: ['Nobody needs a dark mode.'] },
  'adr/1': { clarify: [ask({ to: 'product-manager', topic: 'Load', question: 'How many?', blocking: false })] },
  'adr/2': { text: 'Decided.', proposes: [{ kind: 'architecture', summary: 'Use events.' }] },
  'adr/3': { text: 'Done.' },
  'code/1': { clarify: [ask({}), ask({ to: 'reviewer', topic: 'Style' })] },
  'code/2': { clarify: [ask({ id: 'CLR-1-00X', question: 'With which driver?' })] },
  'code/3': { clarify: [ask({ id: 'CLR-1-00X', question: 'And which version?' })] },
  'code/4': new Error('no network'),
  'code/5': {
    artifacts: [
      { path: 'src/a.ts', content: 'a' },
      { path: '../b', content: 'b' },
    ],
  },
  'code/6': { text: 'Built.', issues: [{ title: 'Clean up' }], observations: [{ category: 'decision', content: 'A' }] },
  'review/1': { review: { verdict: 'rejected', cause: 'defect', body: 'No tests.' } },
  'code/7': { artifacts: [{ path: 'src/a.test.ts', content: 't' }] },
  'review/2': { review: { verdict: 'approved' } },
};

const agents = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer', 'data-scientist'];

function turnOf(brief: Brief): string | Reply {
  if (brief.clarification !== undefined) return `On ${brief.clarification.topic}: ${brief.clarification.round}.`;
  const said = SAID[`${brief.step?.id}/${brief.step?.turn}`];
  if (said === undefined) throw new Error(`nothing is left for ${brief.step?.id}/${brief.step?.turn}`);
  if (said instanceof Error) throw said;
  const database = brief.clarifications.find(({ topic }) => topic === 'Database')?.id ?? '';
  return {
    ...said,
    ...(said.clarify && { clarify: said.clarify.map((one) => (one.id ? { ...one, id: database } : one)) }),
  };
}

interface World {
  readonly store: Store;
  readonly files: Map<string, string>;
  readonly clock: ReturnType<typeof fixedClock>;
}

/** A process that may be killed. */
async function aProcess({ store, files, clock }: World, death: Death) {
  const dying = dyingStore(store, death);
  const turns: Record<string, readonly Turn[]> = Object.fromEntries(agents.map((agent) => [agent, [turnOf]]));
  const hub = await aRunHub({ store: dying.store, files, clock, issues: 0, workflow: WORKFLOW, turns, agents });
  const { write } = hub.artifacts;
  const artifacts = {
    ...hub.artifacts,
    write: (...args: Parameters<typeof write>) => dying.write(() => write(...args)),
  };
  return { hub: { ...hub, artifacts }, writes: dying.writes };
}

/** Runs to the end, like a person who answers whatever is asked. */
async function untilDone(world: World, hub: TestRun): Promise<RunResult> {
  for (let paused = 0; paused < 100; paused++) {
    const result = await runIssue(hub, { issueNumber: 1, wait: false });
    if (result.status !== 'paused') return result;
    const outside = await aProcess(world, { at: 0, isWritten: false });
    for (const id of result.waitingOn) {
      const [option] = (await world.store.questions.read(id))?.questions[0]?.options ?? [];
      await answerQuestion(outside.hub, {
        id,
        by: { principal: 'ada', channel: 'cli' },
        ...(option === undefined ? { text: 'Yes.' } : { optionIds: [option.id] }),
      });
    }
  }
  throw new Error('The run pauses again and again.');
}

async function aWorld(): Promise<World> {
  const store = openInMemoryStore();
  await aRunHub({ store, issues: 1 });
  return { store, files: new Map(), clock: fixedClock() };
}

/** The final state, without times and numbers that depend on the order of events. */
async function endOf({ store, files }: World) {
  const { clarifications } = await store.ledgers.read(1);
  const { items: questions } = await store.questions.list();
  const { items: sessions } = await store.sessions.list();
  const { items: issues } = await store.issues.list();
  const run = await store.runs.read(1);
  return {
    files: Object.fromEntries([...files].toSorted()),
    clarifications: clarifications
      .map(({ topic, status, round, thread }) => [
        topic,
        status,
        round,
        ...thread.map(({ from, body }) => `${from}: ${body}`),
      ])
      .toSorted(),
    questions: questions
      .map(({ kind, outcome, questions: [part] }) => [kind, outcome, part?.text.replace(/CLR-\S+/, '')])
      .toSorted(),
    assumptions: (await store.assumptions.read(1)).assumptions_made.map(({ decision }) => decision).toSorted(),
    issues: issues.map(({ title, status, taskStatus }) => [title, status, taskStatus]),
    comments: issues[0]?.comments.map(({ body }) => body.replace(/CLR-\S+/, '')).toSorted(),
    sessions: sessions
      .map(({ step, attempt, turns, endedAt }) => [step, attempt, turns.length, endedAt !== undefined])
      .toSorted(),
    run: [run?.status, run?.phase],
    outcomes: run?.journal
      .flatMap((entry) => (entry.type === 'step-ended' ? [`${entry.step} ${entry.outcome}`] : []))
      .toSorted(),
    statuses: Object.entries(await store.statuses.read())
      .map(([agent, { status }]) => [agent, status])
      .toSorted(),
  };
}

/** Recorded replies: no agent may be asked for them again. */
async function saidBy({ store }: World): Promise<ReadonlySet<string>> {
  const { items } = await store.sessions.list();
  const { clarifications } = await store.ledgers.read(1);
  return new Set([
    ...items.flatMap(({ step, turns }) => turns.map(({ turn }) => `${step}/${turn}`)),
    ...clarifications.flatMap(({ topic, thread }) =>
      thread.filter(({ type }) => type === 'answer').map(({ round }) => `${topic}/${round}`),
    ),
  ]);
}

const askedFor = ({ step, clarification }: Brief) =>
  clarification === undefined ? `${step?.id}/${step?.turn}` : `${clarification.topic}/${clarification.round}`;

async function undisturbed() {
  const world = await aWorld();
  const { hub, writes } = await aProcess(world, { at: 0, isWritten: false });
  const result = await untilDone(world, hub);
  return { end: await endOf(world), writes: writes(), status: result.status };
}

describe('a run that is killed at any write', () => {
  it('does all there is to do when it is not', async () => {
    const { end, status, writes } = await undisturbed();
    expect(status).toBe('done');
    expect(writes).toBeGreaterThan(60);
    expect(end.files).toEqual({
      'docs/PRD.md': 'The requirements.\n',
      'docs/UX.md': 'Blue.',
      'src/a.test.ts': 't',
      'src/a.ts': 'a',
    });
    expect(end.outcomes).toEqual([
      'adr done',
      'code done',
      'code done',
      'data skipped',
      'prd done',
      'review done',
      'ux done',
    ]);
    expect(end.clarifications.map(([topic, state, round]) => [topic, state, round])).toEqual([
      ['Colour', 'resolved', 1],
      ['Database', 'resolved', 2],
      ['Load', 'resolved', 1],
    ]);
    expect(end.questions.map(([kind]) => kind)).toEqual(['approval', 'escalation', 'open_question']);
    expect(end.issues.map(([title]) => title)).toEqual(['Add a health endpoint', 'Billing', 'Clean up']);
  });

  it.each([true, false])(
    'ends like one that was not, and asks nobody again (the write done: %s)',
    async (isWritten) => {
      const { end, writes } = await undisturbed();
      let deaths = 0;
      let tried = 0;
      for (const at of somewhereUpTo(writes)) {
        tried += 1;
        const world = await aWorld();
        const first = await aProcess(world, { at, isWritten });
        const death = await untilDone(world, first.hub).catch((error: unknown) => error);
        deaths += death instanceof Error ? 1 : 0;
        const said = await saidBy(world);
        const { hub } = await aProcess(world, { at: 0, isWritten: false });
        await untilDone(world, hub);
        expect([at, await endOf(world)]).toEqual([at, end]);
        expect([at, hub.briefs.map(askedFor).filter((turn) => said.has(turn))]).toEqual([at, []]);
      }
      // The very last write frees the issue, and its failure is not reported.
      expect(deaths).toBeGreaterThan(tried - 3);
    },
  );
});

describe('a run whose journal lost its end', () => {
  it('ends the same, whatever was lost, and asks nobody again', async () => {
    const { end } = await undisturbed();
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (share) => {
        const world = await aWorld();
        await untilDone(world, (await aProcess(world, { at: 0, isWritten: false })).hub);
        await world.store.runs.update(1, (run) => ({ next: cutJournal(run, share), result: undefined }));
        const { hub } = await aProcess(world, { at: 0, isWritten: false });
        await untilDone(world, hub);
        expect(await endOf(world)).toEqual(end);
        expect(hub.briefs).toEqual([]);
      }),
      { numRuns: repetitions({ short: 8, long: 25 }), examples: [[0], [1]] },
    );
  });
});

function cutJournal(run: Run | undefined, share: number): Run {
  if (run === undefined) throw new Error('there is no run');
  const kept = run.journal.slice(2, 2 + Math.floor(share * (run.journal.length - 2)));
  const { id, issueNumber, workflow, definition, startedAt: at } = run;
  const begun = createRun({ id, issueNumber, workflow, at, ...(definition && { definition }) });
  return kept.reduce((cut, entry) => transition(cut, eventOf(entry)), transition(begun, { type: 'start', at }));
}

function eventOf(entry: JournalEntry): RunEvent {
  switch (entry.type) {
    case 'created':
      throw new Error('a run is created once');
    case 'start':
    case 'resume':
    case 'finish':
    case 'enter-execution':
      return { type: entry.type, at: entry.at };
    case 'pause':
    case 'fail':
    case 'stop':
      return entry;
    default:
      return { type: 'record', at: entry.at, facts: [entry] };
  }
}
