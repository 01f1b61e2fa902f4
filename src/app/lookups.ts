import { dirname } from 'node:path';
import type { ReadyQueue } from '../board/ready.js';
import type { Clock } from '../ports/clock.js';
import type {
  CountedPage,
  ListedClarification,
  ListedRun,
  Listing,
  Page,
  QuestionPage,
  Store,
} from '../ports/store.js';
import type { AgentStandings } from '../protocol/agent-standing.js';
import type { AgentStatusFile } from '../protocol/agent-status.js';
import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationLedger, ClarificationRecord } from '../protocol/clarification.js';
import { AgentXError } from '../protocol/errors.js';
import { parseClarificationId, parseIssueNumber } from '../protocol/ids.js';
import type { Issue, IssueSummary } from '../protocol/issue.js';
import type { Paging } from '../protocol/page.js';
import type { Question } from '../protocol/question.js';
import type { QuestionSummary } from '../protocol/question-summary.js';
import type { Run } from '../protocol/run.js';
import type { RunStanding } from '../protocol/run-standing.js';
import type { DigestResult } from '../report/digest.js';
import type { MetricsRequest, MetricsResult } from '../report/metrics.js';
import { layoutOf } from '../storage/files/layout.js';
import type { ArtifactFile } from './artifact-files.js';
import { checkedRequest } from './checked-request.js';
import type { DigestRequest } from './digest.js';
import type { IdKind } from './find-id.js';
import type { LeftBranch } from './work-trees.js';

/** What surfaces show: the records as they are, and what follows from them. Nothing here changes anything. */
export class Lookups {
  /** The `.agentx` folder. */
  readonly root: string;
  readonly clock: Clock;
  readonly #store: Store;

  constructor({ root, store, clock }: { readonly root: string; readonly store: Store; readonly clock: Clock }) {
    this.root = root;
    this.clock = clock;
    this.#store = store;
  }

  /** Undefined if there is no such issue. */
  readonly issue = async (number: number): Promise<Issue | undefined> => this.#store.issues.read(number);

  /** By number; with `paging`, one page of them. */
  readonly issues = async (paging: Paging = {}): Promise<Page<Issue>> =>
    this.#store.issues.list(checkedRequest(paging));

  /** Open issues that are not done, with what a list shows of each. */
  readonly unfinishedIssues = async (): Promise<Listing<IssueSummary>> => this.#store.issues.summaries();

  /**
   * `active` saves a second listing after a check. `damaged` is what could not be read; the rest is listed all the
   * same.
   */
  readonly readyQueue = async (
    active?: readonly ListedClarification[],
  ): Promise<ReadyQueue & { readonly damaged: readonly AgentXError[] }> =>
    (await import('../board/ready.js')).readyQueue({ store: this.#store }, checkedList(active));

  /** The same with what a list shows of each issue. */
  readonly readySummaries = async (
    active?: readonly ListedClarification[],
  ): Promise<ReadyQueue<IssueSummary> & { readonly damaged: readonly AgentXError[] }> =>
    (await import('../board/ready.js')).readySummaries({ store: this.#store }, checkedList(active));

  /** By agent, as the agents and the hub wrote them; `whoIsAtWhat` returns the real state. */
  readonly statuses = async (): Promise<AgentStatusFile> => this.#store.statuses.read();

  /** What each agent really does, even if a process died and could not say so. */
  readonly whoIsAtWhat = async (): Promise<{
    readonly agents: AgentStandings;
    readonly damaged: readonly AgentXError[];
  }> => (await import('../board/standings.js')).whoIsAtWhat({ store: this.#store, clock: this.clock });

  /** NOT_FOUND if its issue has no such clarification. */
  readonly showClarification = async (id: string): Promise<ClarificationRecord> => {
    const { issueNumber } = parseClarificationId(id);
    const { clarifications } = await this.#store.ledgers.read(issueNumber);
    const record = clarifications.find((one) => one.id === id);
    if (record !== undefined) return record;
    throw new AgentXError('NOT_FOUND', `There is no clarification ${id}.`, { clarificationId: id, issueNumber });
  };

  /** By issue number: those that wait for an agent or a human, or all; with `paging`, one page of them. */
  readonly clarifications = async (
    status: 'active' | 'all',
    paging: Paging = {},
  ): Promise<Page<ClarificationRecord>> => {
    const filter = status === 'active' ? ({ active: true } as const) : {};
    const { items, ...rest } = await this.#store.ledgers.list({ ...filter, ...checkedRequest(paging) });
    return { ...rest, items: items.map(({ record }) => record) };
  };

  /** The clarifications of an issue; an issue without any has an empty ledger. */
  readonly ledger = async (issueNumber: number): Promise<ClarificationLedger> => this.#store.ledgers.read(issueNumber);

  /** The clarifications that can be routed again because the question has ended; those of a run are left to the run. */
  readonly whoWaitsFor = async (questionId: string): Promise<readonly string[]> =>
    (await import('../hub/who-waits.js')).whoWaitsFor({ store: this.#store }, questionId);

  /** Undefined if there is no such question. */
  readonly question = async (id: string): Promise<Question | undefined> => this.#store.questions.read(id);

  /** NOT_FOUND if there is no such question. */
  readonly showQuestion = async (id: string): Promise<Question> =>
    (await import('../hub/change-question.js')).requireQuestion({ store: this.#store }, id);

  /** Oldest first: open or ended ones, or all; with `paging`, one page of them. */
  readonly questions = async (status: Question['status'] | 'all', paging: Paging = {}): Promise<QuestionPage> =>
    this.#store.questions.list({ ...(status !== 'all' && { status }), ...checkedRequest(paging) });

  /** The open ones with what a list shows of each: with thousands of them, a fraction of the cost. */
  readonly questionSummaries = async (): Promise<Listing<QuestionSummary>> =>
    this.#store.questions.summaries({ status: 'open' });

  /** The ids of all questions, sorted; none is opened. */
  readonly questionIds = async (): Promise<readonly string[]> => this.#store.questions.ids({ idFrom: 'oq-' });

  /** Of one issue, or of all; with `paging`, one page of them. */
  readonly assumptions = async (issueNumber?: number, paging: Paging = {}): Promise<CountedPage<Assumption>> => {
    const page = checkedRequest(paging);
    if (issueNumber === undefined) return this.#store.assumptions.list(page);
    const { assumptionsIn } = await import('../protocol/assumption.js');
    return { ...assumptionsIn([await this.#store.assumptions.read(issueNumber)], page), damaged: [] };
  };

  /** The latest run of an issue. */
  readonly latestRun = async (issueNumber: number): Promise<Run | undefined> => this.#store.runs.read(issueNumber);

  /** The latest run of an issue, unless it has ended, and whether a live process carries it on. */
  readonly unfinishedRun = async (issueNumber: number): Promise<ListedRun | undefined> =>
    (await this.#store.runs.list({ finished: false, issues: new Set([parseIssueNumber(issueNumber)]) })).items[0];

  /** The latest run of every issue that has one. */
  readonly runs = async (): Promise<Listing<Run>> => {
    const { items, damaged } = await this.#store.runs.list();
    return { items: items.map(({ run }) => run), damaged };
  };

  /** The standing of every run that has not ended: which are interrupted, and which wait for nothing any more. */
  readonly unfinishedRuns = async (): Promise<Listing<RunStanding>> =>
    (await import('../board/standings.js')).unfinishedRuns({ store: this.#store });

  /** What the agents of an issue's latest run wrote and is still there. */
  readonly artifacts = async (issueNumber: number): Promise<readonly ArtifactFile[]> => {
    const run = await this.#store.runs.read(parseIssueNumber(issueNumber));
    return run === undefined
      ? []
      : (await import('./artifact-files.js')).artifactFiles(this.root, run, this.#store.runs);
  };

  /** Branches of runs that wait for a person to review them: their work trees were not removed. */
  readonly branches = async (): Promise<readonly LeftBranch[]> =>
    (await import('./work-trees.js')).leftBranches(
      { repository: dirname(this.root), state: layoutOf(this.root).state },
      this.#store.runs,
    );

  /** The full id that a person typed, maybe in short. NOT_FOUND if no id fits, INVALID_INPUT if several fit. */
  readonly findId = async (kind: IdKind, typedId: string): Promise<string> =>
    (await import('./find-id.js')).findId(this.#store, kind, typedId);

  /** Counts a week and writes nothing. */
  readonly countWeek = async (request: DigestRequest = {}): Promise<DigestResult> =>
    (await import('../report/digest.js')).digest({ store: this.#store, clock: this.clock }, checkedRequest(request));

  /** The same figures over the last days, with a series of days for a chart. */
  readonly metrics = async (request: MetricsRequest = {}): Promise<MetricsResult> =>
    (await import('../report/metrics.js')).metrics({ store: this.#store, clock: this.clock }, checkedRequest(request));
}

/** Plain JavaScript callers may leave out what the types require. */
function checkedList<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  if (list === undefined || Array.isArray(list)) return list;
  throw new AgentXError('INVALID_INPUT', 'The clarifications are no list. Leave them out, and they are read.');
}
