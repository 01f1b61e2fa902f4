import type * as z from 'zod/mini';
import type { Change, ChangedKind } from '../../ports/changes.js';
import type { Claim, Page, Store, Update } from '../../ports/store.js';
import { AgentStatusFile, changeEntries } from '../../protocol/agent-status.js';
import { AssumptionFile, assumptionsIn, emptyAssumptionFile } from '../../protocol/assumption.js';
import { ClarificationLedger, emptyLedger, isActive, isUnfinished } from '../../protocol/clarification.js';
import { Deliveries, noDeliveries } from '../../protocol/delivery.js';
import { AgentXError } from '../../protocol/errors.js';
import { parseIssueNumber, parseQuestionId, parseSessionId, parseTranscriptId } from '../../protocol/ids.js';
import { Issue, numbered, summaryOf } from '../../protocol/issue.js';
import {
  emptyOrchestratorState,
  Interaction,
  interactionsIn,
  OrchestratorState,
  TaskConfig,
} from '../../protocol/orchestrator.js';
import { type Paging, pageOf, positionOf } from '../../protocol/page.js';
import { parseWith } from '../../protocol/parse.js';
import { byCreation, Question } from '../../protocol/question.js';
import { isIn, type QuestionFilter } from '../../protocol/question-filter.js';
import { summaryOf as summaryOfQuestion } from '../../protocol/question-summary.js';
import { isFinished, Run } from '../../protocol/run.js';
import { byStart, Session } from '../../protocol/session.js';
import type { SoundOptions } from '../../protocol/sound-data.js';
import { Transcript } from '../../protocol/transcript.js';
import { Claims } from './claims.js';
import { inMemoryObservations } from './observations.js';

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
  const deliveries = new Shelf<'all', Deliveries>(Deliveries, 'The list of messages', (key) => key);
  const interactions: Interaction[] = [];
  const claims = new Claims();
  const sessions = new Shelf<string, Session>(Session, 'The session', parseSessionId, { anyText: true });
  const transcripts = new Shelf<string, Transcript>(Transcript, 'The transcript', parseTranscriptId, { anyText: true });
  const questionsIn = (filter: QuestionFilter) => questions.values().filter(isIn(filter)).toSorted(byCreation);
  let lastIssueNumber = 0;
  const requiringClaim =
    <T, R>(update: Update<T, R, T | undefined>, claim: Claim | undefined): Update<T, R, T | undefined> =>
    (current) => {
      claims.require(claim);
      return update(current);
    };

  return {
    claim: (on, options) => claims.claim(on, options),
    heldBy: (on) => claims.heldBy(on),
    watch: (listener, only) => {
      // A wrapper, so that the same listener may watch twice.
      const tellIfWanted = (change: Change) => {
        if (only === undefined || (change.kind === only.kind && change.id === only.id)) listener(change);
      };
      listeners.add(tellIfWanted);
      return () => void listeners.delete(tellIfWanted);
    },
    close: async () => listeners.clear(),
    observations: inMemoryObservations(claims, telling('observations')),
    ledgers: {
      read: async (issueNumber) => ledgers.get(issueNumber) ?? emptyLedger(issueNumber),
      update: async (issueNumber, update) =>
        ledgers.update(issueNumber, (current) => update(current ?? emptyLedger(issueNumber))),
      list: async ({ active = false, unfinished = false, ...paging } = {}) => {
        const all = ledgers
          .inOrder()
          .flatMap(([issueNumber, { clarifications }]) => clarifications.map((record) => ({ issueNumber, record })));
        const matching = all.filter(
          ({ record }) => (!active || isActive(record)) && (!unfinished || isUnfinished(record)),
        );
        return page(matching, paging, ({ record }) => positionOf.clarification(record));
      },
    },
    statuses: {
      read: async () => statuses.get('all') ?? {},
      update: async (agents, update) =>
        statuses.update('all', (current) => changeEntries(current ?? {}, agents, update)),
    },
    questions: {
      create: async (question) =>
        questions.update(question.id, (current) => ({ next: current ?? question, result: current ?? question })),
      read: async (id) => questions.get(id),
      update: async (id, update) => questions.update(id, (current) => update(current ?? missing(`question ${id}`))),
      list: async (filter = {}) => {
        const all = questionsIn(filter);
        return { ...page(all, filter, positionOf.question), total: all.length };
      },
      summaries: async (filter = {}) => {
        const { items, ...rest } = page(questionsIn(filter), filter, positionOf.question);
        return { ...rest, items: items.map(summaryOfQuestion) };
      },
      ids: async (filter = {}) =>
        questionsIn(filter)
          .map(({ id }) => id)
          .sort(),
    },
    assumptions: {
      read: async (issueNumber) => assumptions.get(issueNumber) ?? emptyAssumptionFile(issueNumber),
      update: async (issueNumber, update) =>
        assumptions.update(issueNumber, (current) => update(current ?? emptyAssumptionFile(issueNumber))),
      list: async (filter) => ({ ...assumptionsIn(assumptions.values(), filter), damaged: [] }),
    },
    issues: {
      create: async (draft) => {
        const issue = numbered(draft, ++lastIssueNumber);
        return issues.update(issue.number, () => ({ next: issue, result: issue }));
      },
      read: async (number) => issues.get(number),
      update: async (number, update) =>
        issues.update(number, (current) => update(current ?? missing(`issue #${number}`))),
      put: async (number, update) => {
        lastIssueNumber = Math.max(lastIssueNumber, parseIssueNumber(number));
        return issues.update(number, update);
      },
      list: async ({ origin, ...paging } = {}) => {
        const all = issues.inOrder().map(([, issue]) => issue);
        const matching = all.filter((issue) => origin === undefined || issue.origin === origin);
        return page(matching, paging, positionOf.issue);
      },
      summaries: async (paging = {}) =>
        page(
          issues.inOrder().flatMap(([, issue]) => summaryOf(issue) ?? []),
          paging,
          positionOf.issue,
        ),
    },
    runs: {
      read: async (issueNumber) => runs.get(issueNumber),
      update: async (issueNumber, update, claim) => runs.update(issueNumber, requiringClaim(update, claim)),
      list: async ({ finished, issues: issueNumbers, ...paging } = {}) => {
        const matching = runs
          .inOrder()
          .filter(
            ([key, run]) => isFinished(run) === (finished ?? isFinished(run)) && (issueNumbers?.has(key) ?? true),
          );
        const listedRuns = matching.map(([key, run]) => ({
          run,
          isCarried: !isFinished(run) && claims.isLive({ run: key }),
        }));
        return page(listedRuns, paging, ({ run }) => positionOf.run(run));
      },
    },
    orchestrator: {
      read: async () => orchestrator.get('all') ?? emptyOrchestratorState(),
      update: async (update) => orchestrator.update('all', (current) => update(current ?? emptyOrchestratorState())),
    },
    deliveries: {
      read: async () => deliveries.get('all') ?? noDeliveries(),
      update: async (update) => deliveries.update('all', (current) => update(current ?? noDeliveries())),
    },
    interactions: {
      append: async (interaction) => {
        const isKnown = interactions.some(({ id }) => id !== undefined && id === interaction.id);
        if (!isKnown) interactions.push(parseWith(Interaction, interaction, 'The interaction'));
      },
      list: async (filter) => {
        const loggedInteractions = interactions.map((interaction, place) => ({ place, interaction }));
        return { ...interactionsIn(loggedInteractions, filter), damaged: [] };
      },
    },
    tasks: {
      readConfig: async (issueNumber) => tasks.get(issueNumber),
      writeConfig: async (issueNumber, config) =>
        tasks.update(issueNumber, () => ({ next: config, result: undefined })),
    },
    transcripts: {
      read: async (id) => transcripts.get(id),
      update: async (id, update, claim) => transcripts.update(id, requiringClaim(update, claim)),
    },
    sessions: {
      read: async (id) => sessions.get(id),
      update: async (id, update, claim) => sessions.update(id, requiringClaim(update, claim)),
      list: async ({ issue, ...paging } = {}) => {
        const matching = sessions.values().filter(({ issueNumber }) => issueNumber === (issue ?? issueNumber));
        return page(matching.toSorted(byStart), paging, positionOf.session);
      },
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

function page<T>(items: readonly T[], paging: Paging, position: (item: T) => string): Page<T> {
  return { ...pageOf(items, paging, position), damaged: [] };
}

function missing(what: string): never {
  throw new AgentXError('NOT_FOUND', `There is no ${what}.`, { what });
}
