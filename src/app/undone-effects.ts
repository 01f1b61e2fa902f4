import { completeEffects } from '../hub/complete-effects.js';
import type { BasePorts } from '../hub/ports.js';
import { completeInbox } from '../inbox/complete-inbox.js';
import type { SettlePorts } from '../inbox/ports.js';
import { carryOut } from '../inbox/settle.js';
import type { Store } from '../ports/store.js';
import { changeEntries } from '../protocol/agent-status.js';
import { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';

/** Something that follows from what is written and was not carried out. */
export interface UndoneEffect {
  /** Below `.agentx`. */
  readonly file: string;
  readonly reason: string;
}

/** What another process is just about to do is not undone: it is gone at a second look. */
const SECOND_LOOK_MS = 300;

/** Finds what a crash left undone, by completing it against a store that writes nothing. */
export async function findUndone(ports: SettlePorts): Promise<readonly UndoneEffect[]> {
  const first = await rehearse(ports);
  if (first.length === 0) return [];
  await ports.clock.sleep(SECOND_LOOK_MS);
  const second = await rehearse(ports);
  return first.filter(({ file, reason }) => second.some((other) => other.file === file && other.reason === reason));
}

export async function completeUndone(ports: SettlePorts): Promise<void> {
  await unlessDamaged(() => completeEffects(ports));
  await unlessDamaged(async () => {
    await completeInbox(ports);
  });
}

/** Open questions of escalations whose record is lost. */
export async function findOrphans({ store }: Pick<BasePorts, 'store'>): Promise<readonly Question[]> {
  const { items } = await store.questions.list({ status: 'open' });
  const orphans: Question[] = [];
  for (const question of items.filter(({ kind }) => kind === 'escalation')) {
    await unlessDamaged(async () => {
      const { clarifications } = await store.ledgers.read(question.issueNumber);
      if (!clarifications.some(({ id }) => id === question.sourceId)) orphans.push(question);
    });
  }
  return orphans;
}

async function rehearse(ports: SettlePorts): Promise<readonly UndoneEffect[]> {
  const undoneEffects = new Map<string, UndoneEffect>();
  const note = (effect: UndoneEffect): void => {
    undoneEffects.set(`${effect.file} ${effect.reason}`, effect);
  };
  const silent = (): void => {};
  const quiet = {
    log: { debug: silent, info: silent, warn: silent, error: silent },
    bus: { ...ports.bus, emit: silent },
  };
  await unlessDamaged(() => completeEffects({ ...ports, ...quiet, store: writingNothing(ports.store, note) }));
  // These change nothing where they were done before, and write nothing of the store.
  const { noteNews: _, writeAnswers: __, ...others } = ports;
  const looking = { ...others, ...quiet, store: writingNothing(ports.store, silent) };
  for (const question of (await ports.store.questions.list({ unsettled: true })).items) {
    // Its clarification was examined already.
    const { undone: unfinished } = await carryOut(looking, question);
    if (unfinished.length === 0) continue;
    const file = `state/questions/${question.id}.json`;
    note({ file, reason: `what follows from its end is not done yet: ${unfinished.join(', ')}` });
  }
  for (const { issueNumber } of (await ports.store.assumptions.list({ unsettled: true })).items) {
    note({ file: `state/assumptions/issue-${issueNumber}.json`, reason: 'a verdict is not remembered yet' });
  }
  return [...undoneEffects.values()];
}

/** A damaged file is a finding of its own. */
async function unlessDamaged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
  }
}

interface Attempted<R> {
  readonly next: unknown;
  readonly result: R;
}

/** Updates without a change pass; every write that would change something is noted and refused. */
function writingNothing(store: Store, note: (effect: UndoneEffect) => void): Store {
  const refuse = (effect: UndoneEffect): never => {
    note(effect);
    throw new AgentXError('STORE_ERROR', 'Nothing is written while looking.');
  };
  const unlessChanged = <R>(current: unknown, { next, result }: Attempted<R>, effect: UndoneEffect): R =>
    next === current ? result : refuse(effect);
  const ofLedger = (issueNumber: number, reason = 'what follows from a decision is not done yet') => ({
    file: `state/clarifications/issue-${issueNumber}.json`,
    reason,
  });
  const unfinished = (file: string) => ({ file, reason: 'what follows from an answer is not done yet' });
  return {
    ...store,
    ledgers: {
      ...store.ledgers,
      update: async (issueNumber, update) => {
        const current = await store.ledgers.read(issueNumber);
        return unlessChanged(current, update(current), ofLedger(issueNumber));
      },
    },
    statuses: {
      ...store.statuses,
      update: async (agents, update) => {
        const current = await store.statuses.read();
        const effect = { file: 'state/agent-status.json', reason: 'it does not follow from the clarifications' };
        return unlessChanged(current, changeEntries(current, agents, update), effect);
      },
    },
    questions: {
      ...store.questions,
      create: async ({ id, issueNumber, sourceId }) => {
        const question = await store.questions.read(id);
        return question ?? refuse(ofLedger(issueNumber, `the escalation of ${sourceId} has not reached the inbox`));
      },
      update: async (id, update) => {
        const current = await store.questions.read(id);
        if (current === undefined) throw new AgentXError('NOT_FOUND', `There is no question ${id}.`);
        const reason = 'it is open, and its clarification is decided';
        return unlessChanged(current, update(current), { file: `state/questions/${id}.json`, reason });
      },
    },
    assumptions: {
      ...store.assumptions,
      update: async (issueNumber, update) => {
        const current = await store.assumptions.read(issueNumber);
        return unlessChanged(current, update(current), ofLedger(issueNumber));
      },
    },
    issues: {
      ...store.issues,
      update: async (number, update) => {
        const current = await store.issues.read(number);
        if (current === undefined) throw new AgentXError('NOT_FOUND', `There is no issue #${number}.`);
        return unlessChanged(current, update(current), unfinished(`issues/${number}.json`));
      },
    },
    runs: {
      ...store.runs,
      update: async (issueNumber, update) => {
        const current = await store.runs.read(issueNumber);
        return unlessChanged(current, update(current), unfinished(`state/runs/issue-${issueNumber}.json`));
      },
    },
    orchestrator: {
      ...store.orchestrator,
      update: async (update) => {
        const current = await store.orchestrator.read();
        return unlessChanged(current, update(current), unfinished('state/orchestrator.json'));
      },
    },
    observations: {
      ...store.observations,
      // The hub looks first whether a decision is remembered already.
      update: async (issueNumber) => refuse(ofLedger(issueNumber, 'a decision is not remembered yet')),
    },
    interactions: {
      ...store.interactions,
      append: async ({ id, status, question_id: question }) => {
        const { items } = await store.interactions.list({ status, question });
        if (!items.some((item) => item.id === id)) refuse(unfinished('state/interactions.ndjson'));
      },
    },
  };
}
