import type * as z from 'zod/mini';
import type { Change, ChangedKind } from '../../ports/changes.js';
import type { Claim, Listing, Store, Update } from '../../ports/store.js';
import { AgentStatusFile } from '../../protocol/agent-status.js';
import { AssumptionFile, emptyAssumptionFile } from '../../protocol/assumption.js';
import { ClarificationLedger, emptyLedger, isActive } from '../../protocol/clarification.js';
import { AgentXError } from '../../protocol/errors.js';
import {
  beginsWith,
  parseIssueNumber,
  parseQuestionId,
  parseSessionId,
  parseTranscriptId,
} from '../../protocol/ids.js';
import { Issue, numbered, summaryOf } from '../../protocol/issue.js';
import { emptyOrchestratorState, Interaction, OrchestratorState, TaskConfig } from '../../protocol/orchestrator.js';
import { parseWith } from '../../protocol/parse.js';
import { byCreation, Question } from '../../protocol/question.js';
import { summaryOf as summaryOfQuestion } from '../../protocol/question-summary.js';
import { isFinished, Run } from '../../protocol/run.js';
import { byStart, Session } from '../../protocol/session.js';
import type { SoundOptions } from '../../protocol/sound-data.js';
import { Transcript } from '../../protocol/transcript.js';
import { Claims } from './claims.js';

/**
 * A store that forgets everything with the process: for tests, for trying things out, and as the model of the others.
 */
export function openInMemoryStore(): Store {
  const listeners = new Set<(change: Change) => void>();
  const telling = (kind: ChangedKind) => (key: string | number) => {
    for (const listener of listeners) listener({ kind, id: String(key) });
  };
  const ledgers = new Shelf<number, ClarificationLedger>(ClarificationLedger, 'The ledger', parseIssueNumber, {
    onChange: telling('clarifications'),
  });
  const statuses = new Shelf<'all', AgentStatusFile>(AgentStatusFile, 'The status file', (key) => key, {
    onChange: () => telling('agents')(''),
  });
  const questions = new Shelf<string, Question>(Question, 'The question', parseQuestionId, {
    onChange: telling('questions'),
  });
  const assumptions = new Shelf<number, AssumptionFile>(AssumptionFile, 'The list of assumptions', parseIssueNumber, {
    onChange: telling('assumptions'),
  });
  const issues = new Shelf<number, Issue>(Issue, 'The issue', parseIssueNumber, { onChange: telling('issues') });
  const runs = new Shelf<number, Run>(Run, 'The run', parseIssueNumber, { anyText: true, onChange: telling('runs') });
  const orchestrator = new Shelf<'all', OrchestratorState>(OrchestratorState, "The sessions' state", (key) => key);
  const tasks = new Shelf<number, TaskConfig>(TaskConfig, "The task's settings", parseIssueNumber);
  const interactions: Interaction[] = [];
  const claims = new Claims();
  const sessions = new Shelf<string, Session>(Session, 'The session', parseSessionId, { anyText: true });
  const transcripts = new Shelf<string, Transcript>(Transcript, 'The transcript', parseTranscriptId, { anyText: true });
  let lastIssueNumber = 0;
  const fenced =
    <T, R>(update: Update<T, R, T | undefined>, claim: Claim | undefined): Update<T, R, T | undefined> =>
    (current) => {
      claims.require(claim);
      return update(current);
    };

  return {
    claim: (on, options) => claims.claim(on, options),
    heldBy: (on) => claims.heldBy(on),
    watch: (listener) => {
      // A wrapper, so that the same listener may watch twice.
      const told = (change: Change) => listener(change);
      listeners.add(told);
      return () => void listeners.delete(told);
    },
    close: async () => listeners.clear(),
    ledgers: {
      read: async (issueNumber) => ledgers.get(issueNumber) ?? emptyLedger(issueNumber),
      update: async (issueNumber, update) =>
        ledgers.update(issueNumber, (current) => update(current ?? emptyLedger(issueNumber))),
      listActive: async () =>
        listing(
          ledgers
            .inOrder()
            .flatMap(([issueNumber, { clarifications }]) =>
              clarifications.filter(isActive).map((record) => ({ issueNumber, record })),
            ),
        ),
      list: async () =>
        listing(
          ledgers
            .inOrder()
            .map(([, ledger]) => ledger)
            .filter(({ clarifications }) => clarifications.length > 0),
        ),
    },
    statuses: {
      read: async () => statuses.get('all') ?? {},
      update: async (update) => statuses.update('all', (current) => update(current ?? {})),
    },
    questions: {
      create: async (question) =>
        questions.update(question.id, (current) => ({ next: current ?? question, result: current ?? question })),
      read: async (id) => questions.get(id),
      update: async (id, update) => questions.update(id, (current) => update(current ?? missing(`question ${id}`))),
      listOpen: async () =>
        listing(
          questions
            .values()
            .filter(({ status }) => status === 'open')
            .toSorted(byCreation),
        ),
      listPending: async () =>
        listing(
          questions
            .values()
            .filter(({ status }) => status === 'open')
            .toSorted(byCreation)
            .map(summaryOfQuestion),
        ),
      listUnsettled: async () =>
        listing(
          questions
            .values()
            .filter(({ unsettled }) => unsettled === true)
            .toSorted(byCreation),
        ),
      idsFrom: async (start) =>
        questions
          .inOrder()
          .map(([id]) => id)
          .filter(beginsWith(start)),
      listOfIssue: async (issueNumber) =>
        listing(
          questions
            .values()
            .filter((question) => question.issueNumber === issueNumber)
            .toSorted(byCreation),
        ),
      list: async () => listing(questions.values().toSorted(byCreation)),
    },
    assumptions: {
      read: async (issueNumber) => assumptions.get(issueNumber) ?? emptyAssumptionFile(issueNumber),
      update: async (issueNumber, update) =>
        assumptions.update(issueNumber, (current) => update(current ?? emptyAssumptionFile(issueNumber))),
      list: async () => listing(assumptions.inOrder().flatMap(([, file]) => file.assumptions_made)),
    },
    issues: {
      create: async (draft) => {
        const issue = numbered(draft, ++lastIssueNumber);
        return issues.update(issue.number, () => ({ next: issue, result: issue }));
      },
      read: async (number) => issues.get(number),
      update: async (number, update) =>
        issues.update(number, (current) => update(current ?? missing(`issue #${number}`))),
      list: async () => listing(issues.inOrder().map(([, issue]) => issue)),
      listUnfinished: async () => listing(issues.inOrder().flatMap(([, issue]) => summaryOf(issue) ?? [])),
    },
    runs: {
      read: async (issueNumber) => runs.get(issueNumber),
      update: async (issueNumber, update, claim) => runs.update(issueNumber, fenced(update, claim)),
      list: async () => listing(runs.inOrder().map(([, run]) => run)),
      listUnfinished: async (issueNumbers) => {
        const wanted = runs.inOrder().filter(([key, run]) => !isFinished(run) && (issueNumbers?.has(key) ?? true));
        return listing(wanted.map(([key, run]) => ({ run, isCarried: claims.isLive({ run: key }) })));
      },
    },
    orchestrator: {
      read: async () => orchestrator.get('all') ?? emptyOrchestratorState(),
      update: async (update) => orchestrator.update('all', (current) => update(current ?? emptyOrchestratorState())),
    },
    interactions: {
      append: async (interaction) => {
        const isKnown = interactions.some(({ id }) => id !== undefined && id === interaction.id);
        if (!isKnown) interactions.push(parseWith(Interaction, interaction, 'The interaction'));
      },
      list: async () => listing([...interactions]),
    },
    tasks: {
      readConfig: async (issueNumber) => tasks.get(issueNumber),
      writeConfig: async (issueNumber, config) =>
        tasks.update(issueNumber, () => ({ next: config, result: undefined })),
    },
    transcripts: {
      read: async (id) => transcripts.get(id),
      update: async (id, update, claim) => transcripts.update(id, fenced(update, claim)),
    },
    sessions: {
      read: async (id) => sessions.get(id),
      update: async (id, update, claim) => sessions.update(id, fenced(update, claim)),
      list: async (issueNumber) =>
        listing(
          sessions
            .values()
            .filter((session) => issueNumber === undefined || session.issueNumber === issueNumber)
            .toSorted(byStart),
        ),
    },
  };
}

/** Documents of one kind by key, checked like those on a disk. */
class Shelf<K extends string | number, T> {
  readonly #documents = new Map<K, T>();

  constructor(
    private readonly schema: z.core.$ZodType<T>,
    private readonly what: string,
    private readonly checkKey: (key: K) => K,
    private readonly options: SoundOptions & { readonly onChange?: (key: K) => void } = {},
  ) {}

  get(key: K): T | undefined {
    return this.#documents.get(this.checkKey(key));
  }

  update<R>(key: K, update: Update<T, R, T | undefined>): R {
    const current = this.get(key);
    const { next, result } = update(current);
    if (next !== current) {
      this.#documents.set(key, parseWith(this.schema, next, this.what, this.options));
      this.options.onChange?.(key);
    }
    return result;
  }

  values(): T[] {
    return [...this.#documents.values()];
  }

  inOrder(): [K, T][] {
    return [...this.#documents].sort(([left], [right]) => (left < right ? -1 : 1));
  }
}

const listing = <T>(items: readonly T[]): Listing<T> => ({ items, damaged: [] });

function missing(what: string): never {
  throw new AgentXError('NOT_FOUND', `There is no ${what}.`, { what });
}
