import type { Listing, Store } from '../../../src/ports/store.js';
import { nextClarificationId } from '../../../src/protocol/clarification.js';
import { makeAssumptionId } from '../../../src/protocol/ids.js';
import { transition as changeQuestion } from '../../../src/protocol/question-transition.js';
import { transition as changeRun, createRun } from '../../../src/protocol/run.js';
import { anAssumption } from '../../builders/assumption.js';
import { AT, aClarification } from '../../builders/clarification.js';
import { anIssue } from '../../builders/issue.js';
import { anObservation } from '../../builders/observation.js';
import { aQuestion } from '../../builders/question.js';

/** One kind of thing that is written, in a form that a test can count. */
interface Kind {
  /** Resolves, when the store has acknowledged it, with the name under which `present` will list it. */
  add(store: Store, key: string): Promise<string>;
  present(store: Store): Promise<string[]>;
}

export const KIND_NAMES = [
  'clarification',
  'question',
  'answer',
  'issue',
  'assumption',
  'run entry',
  'observation',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

export const kinds: Readonly<Record<KindName, Kind>> = {
  clarification: {
    add: (store, key) =>
      store.ledgers.update(42, (ledger) => {
        const record = aClarification({ id: nextClarificationId(ledger), topic: key, thread: [] });
        return { next: { ...ledger, clarifications: [...ledger.clarifications, record] }, result: key };
      }),
    present: async (store) => (await store.ledgers.read(42)).clarifications.map(({ topic }) => topic),
  },
  question: {
    add: async (store, key) => (await store.questions.create(aQuestion({ id: `oq-${key}` }))).id,
    present: async (store) => undamaged(await store.questions.list()).map(({ id }) => id),
  },
  answer: {
    async add(store, key) {
      const { id, revision } = await store.questions.create(aQuestion({ id: `oq-${key}` }));
      const answer = {
        type: 'answer' as const,
        at: AT,
        by: { principal: 'somebody', channel: 'cli' as const },
        revision,
        responses: [{ questionId: 'q1', optionIds: ['a'] }],
      };
      return store.questions.update(id, (question) => ({
        next: changeQuestion(question, answer).question,
        result: id,
      }));
    },
    async present(store) {
      const questions = undamaged(await store.questions.list());
      return questions.filter(({ outcome }) => outcome === 'answered').map(({ id }) => id);
    },
  },
  issue: {
    async add(store, key) {
      const { number, title } = await store.issues.create(anIssue({ title: key }));
      return `#${number} ${title}`;
    },
    present: async (store) => undamaged(await store.issues.list()).map(({ number, title }) => `#${number} ${title}`),
  },
  assumption: {
    add: (store, key) =>
      store.assumptions.update(42, (file) => {
        const id = makeAssumptionId(42, file.assumptions_made.length + 1);
        const made = [...file.assumptions_made, anAssumption({ id, decision: key })];
        return { next: { ...file, assumptions_made: made }, result: key };
      }),
    present: async (store) => (await store.assumptions.read(42)).assumptions_made.map(({ decision }) => decision),
  },
  observation: {
    add: async (store, key) => {
      // Ids end with six letters and digits; keys are names and numbers of any length.
      const id = `obs-engineer-42-${[...key].reduce((sum, unit) => (sum * 131 + unit.charCodeAt(0)) % 1e12, 7)}-a1b2c3`;
      await store.observations.store([anObservation({ id, content: `Said ${key}`, summary: key })]);
      return key;
    },
    async present(store) {
      const stored = await store.observations.getByIssue(42);
      const { items, damaged } = await store.observations.list();
      if (damaged[0]) throw damaged[0];
      if (items.length !== stored.length) throw new Error(`${items.length} of ${stored.length} are in the index`);
      return stored.map(({ summary }) => summary);
    },
  },
  'run entry': {
    add: (store, key) =>
      store.runs.update(42, (run) => {
        const created = createRun({ id: 'run-42', issueNumber: 42, workflow: 'feature', at: AT });
        const current = run ?? changeRun(created, { type: 'start', at: AT });
        return {
          next: changeRun(current, {
            type: 'record',
            at: AT,
            facts: [{ type: 'step-ended', at: AT, step: key, outcome: 'done' }],
          }),
          result: key,
        };
      }),
    async present(store) {
      const { journal = [] } = (await store.runs.read(42)) ?? {};
      return journal.flatMap((entry) => (entry.type === 'step-ended' ? [entry.step] : []));
    },
  },
};

function undamaged<T>({ items, damaged }: Listing<T>): readonly T[] {
  if (damaged[0]) throw damaged[0];
  return items;
}
