import { completeEffects } from '../hub/complete-effects.js';
import type { HubPorts } from '../hub/ports.js';
import type { Store } from '../ports/store.js';
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
export async function findUndone(ports: HubPorts): Promise<readonly UndoneEffect[]> {
  const first = await rehearse(ports);
  if (first.length === 0) return [];
  await ports.clock.sleep(SECOND_LOOK_MS);
  const second = await rehearse(ports);
  return first.filter(({ file, reason }) => second.some((other) => other.file === file && other.reason === reason));
}

export async function completeUndone(ports: HubPorts): Promise<void> {
  await unlessDamaged(() => completeEffects(ports));
}

/** Open questions of escalations whose record is lost. */
export async function findOrphans({ store }: Pick<HubPorts, 'store'>): Promise<readonly Question[]> {
  const { items } = await store.questions.listOpen();
  const orphans: Question[] = [];
  for (const question of items.filter(({ kind }) => kind === 'escalation')) {
    await unlessDamaged(async () => {
      const { clarifications } = await store.ledgers.read(question.issueNumber);
      if (!clarifications.some(({ id }) => id === question.sourceId)) orphans.push(question);
    });
  }
  return orphans;
}

async function rehearse(ports: HubPorts): Promise<readonly UndoneEffect[]> {
  const undone = new Map<string, UndoneEffect>();
  const note = (effect: UndoneEffect): void => {
    undone.set(`${effect.file} ${effect.reason}`, effect);
  };
  const silent = (): void => {};
  const quiet = {
    log: { debug: silent, info: silent, warn: silent, error: silent },
    bus: { ...ports.bus, emit: silent },
  };
  await unlessDamaged(() => completeEffects({ ...ports, ...quiet, store: writingNothing(ports.store, note) }));
  return [...undone.values()];
}

/** A damaged file is a finding of its own. */
async function unlessDamaged(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AgentXError) || error.code !== 'CORRUPT_FILE') throw error;
  }
}

/** Every write is noted, if it would change something, and refused. */
function writingNothing(store: Store, note: (effect: UndoneEffect) => void): Store {
  const refuse = (effect: UndoneEffect, changes: boolean): never => {
    if (changes) note(effect);
    throw new AgentXError('STORE_ERROR', 'Nothing is written while looking.');
  };
  return {
    ...store,
    ledgers: {
      ...store.ledgers,
      update: async (issueNumber, update) => {
        const current = await store.ledgers.read(issueNumber);
        const reason = 'a decision has not reached its clarification';
        const file = `state/clarifications/issue-${issueNumber}.json`;
        return refuse({ file, reason }, update(current).next !== current);
      },
    },
    statuses: {
      ...store.statuses,
      update: async (update) => {
        const current = await store.statuses.read();
        const reason = 'it does not follow from the clarifications';
        return refuse({ file: 'state/agent-status.json', reason }, update(current).next !== current);
      },
    },
    questions: {
      ...store.questions,
      create: async ({ issueNumber, sourceId }) => {
        const file = `state/clarifications/issue-${issueNumber}.json`;
        return refuse({ file, reason: `the escalation of ${sourceId} has not reached the inbox` }, true);
      },
      update: async (id) =>
        refuse({ file: `state/questions/${id}.json`, reason: 'it is open, and its clarification is decided' }, true),
    },
    assumptions: {
      ...store.assumptions,
      update: async (issueNumber) => {
        const file = `state/clarifications/issue-${issueNumber}.json`;
        return refuse({ file, reason: 'a decision has not reached its clarification' }, true);
      },
    },
  };
}
