import { setMaxListeners } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../agents/trust.js';
import type { StatusRequest, Work } from '../board/agent-status.js';
import type { NewComment, NewIssue } from '../board/issues.js';
import type { ReadyQueue } from '../board/ready.js';
import type { AnswerRequest } from '../hub/answer.js';
import type { AskRequest } from '../hub/ask.js';
import type { EscalateRequest } from '../hub/escalate.js';
import type { FollowUpRequest } from '../hub/follow-up.js';
import type { HubResult } from '../hub/ports.js';
import type { ResolveRequest } from '../hub/resolve.js';
import type { AnswerQuestionRequest } from '../inbox/answer-question.js';
import type { AskHumansRequest } from '../inbox/ask-humans.js';
import type { ConfirmAssumptionRequest, RejectAssumptionRequest } from '../inbox/assumption-verdict.js';
import type { EndQuestionRequest } from '../inbox/end-question.js';
import type { GoOnOptions } from '../inbox/go-on-without.js';
import type { KeepAliveRequest } from '../inbox/keep-alive.js';
import type { InboxResult } from '../inbox/settle.js';
import type { CheckOptions, CheckResult } from '../monitor/sweep.js';
import type { Change } from '../ports/changes.js';
import type { Clock } from '../ports/clock.js';
import type { EventBus } from '../ports/event-bus.js';
import type { Log } from '../ports/log.js';
import type { RunnerFunction } from '../ports/runner.js';
import type { ActiveClarification, Listing, Store } from '../ports/store.js';
import type { AgentStandings } from '../protocol/agent-standing.js';
import type { AgentStatusEntry } from '../protocol/agent-status.js';
import type { Assumption } from '../protocol/assumption.js';
import type { Config } from '../protocol/config.js';
import type { Diagnosis } from '../protocol/diagnosis.js';
import { AgentXError } from '../protocol/errors.js';
import type { Issue, IssueSummary } from '../protocol/issue.js';
import { outsideOrigin } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import type { RunStanding } from '../protocol/run-standing.js';
import type { BudgetRequest, BudgetResult } from '../report/budget.js';
import type { DigestResult } from '../report/digest.js';
import type { MetricsRequest, MetricsResult } from '../report/metrics.js';
import type { RunRequest, RunResult } from '../run/run-issue.js';
import { layoutOf } from '../storage/files/layout.js';
import { openFileStore } from '../storage/files/store.js';
import type { DemoRequest } from './demo-repository.js';
import type { DigestRequest, WrittenDigest } from './digest.js';
import type { DoctorRequest } from './doctor.js';
import { refuseElsewhere } from './elsewhere.js';
import { createEventBus } from './event-bus.js';
import type { Engine } from './hub-ports.js';
import { createLog, logLevelOf } from './log.js';
import { noteServer, runningServer } from './running-servers.js';

export interface AppOptions {
  /** The `.agentx` folder. */
  readonly root: string;
  /** Where records are kept, instead of the files below `root`. The caller closes it. */
  readonly store?: Store;
  readonly clock?: Clock;
  /** Agents that are functions of this program, by name. They come before those of config.toml and need no trust. */
  readonly runners?: Readonly<Record<string, RunnerFunction>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** For a doctor, who reports what everybody else refuses: settings that keep records elsewhere than in files. */
  readonly anyStore?: boolean;
}

/** What every surface works with: the use cases, and what they stand on. */
export interface App {
  readonly root: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly log: Log;
  config(): Promise<Config>;

  ask(request: AskRequest): Promise<HubResult>;
  /** The same without waiting for the target, whom `route` asks. */
  openAsk(request: AskRequest): Promise<HubResult>;
  /**
   * Has the target of a pending clarification answer. Once `signal` breaks it off, the target's program is ended, nothing of
   * it is recorded, and the promise rejects with the reason.
   */
  route(clarificationId: string, signal?: AbortSignal): Promise<HubResult>;
  followUp(request: FollowUpRequest): Promise<HubResult>;
  /** The same without waiting for the target, whom `route` asks. */
  openFollowUp(request: FollowUpRequest): Promise<HubResult>;
  answer(request: AnswerRequest): Promise<HubResult>;
  resolve(request: ResolveRequest): Promise<HubResult>;
  escalate(request: EscalateRequest): Promise<HubResult>;
  runCheck(options?: CheckOptions): Promise<CheckResult>;
  /**
   * Takes the fallbacks that are due, which it gives back, and does what follows from questions and is not done yet. It
   * starts no agent: `announce` is told which clarifications can go on now, and how.
   */
  completeInbox(announce?: (line: string) => void): Promise<readonly Question[]>;

  /** Carries the workflow of an issue out, or goes on where an earlier process left it; the bus tells what happens. */
  run(request: RunRequest): Promise<RunResult>;

  showQuestion(id: string): Promise<Question>;
  answerQuestion(request: AnswerQuestionRequest): Promise<InboxResult>;
  declineQuestion(request: EndQuestionRequest): Promise<InboxResult>;
  dismissQuestion(request: EndQuestionRequest): Promise<InboxResult>;
  /** The clarifications that can be routed again because the question has ended; what a run asked is left to the run. */
  whoWaitsFor(questionId: string): Promise<readonly string[]>;
  /** Asks humans something on behalf of an agent; each call is a question of its own unless one that is open says the same. */
  askHumans(request: Omit<AskHumansRequest, 'origin'>): Promise<Question>;
  /** Somebody is typing: the clock stands still, and what they wrote is kept. */
  keepAlive(request: KeepAliveRequest): Promise<Question>;
  confirmAssumption(request: ConfirmAssumptionRequest): Promise<Assumption>;
  /** Opens a question as well: whether what was built on it is kept or done again. */
  rejectAssumption(
    request: RejectAssumptionRequest,
  ): Promise<{ readonly assumption: Assumption; readonly question: Question }>;

  createIssue(draft: NewIssue): Promise<Issue>;
  commentIssue(comment: NewComment): Promise<Issue>;
  closeIssue(number: number): Promise<Issue>;
  reopenIssue(number: number): Promise<Issue>;
  /**
   * `active` spares a second look to who has just checked. `damaged` is what could not be read; it keeps nobody from the
   * rest.
   */
  readyQueue(
    active?: readonly ActiveClarification[],
  ): Promise<ReadyQueue & { readonly damaged: readonly AgentXError[] }>;
  /** The same with what a list shows of each issue. */
  readySummaries(
    active?: readonly ActiveClarification[],
  ): Promise<ReadyQueue<IssueSummary> & { readonly damaged: readonly AgentXError[] }>;
  /** Who is at what, as it really is: also where a process died and could not say so. */
  whoIsAtWhat(): Promise<{ readonly agents: AgentStandings; readonly damaged: readonly AgentXError[] }>;
  /** How every run stands that has not ended: which no process carries on, and which waits for nobody any more. */
  unfinishedRuns(): Promise<Listing<RunStanding>>;
  setStatus(request: StatusRequest): Promise<AgentStatusEntry>;
  startWork(work: Work): Promise<AgentStatusEntry>;
  finishWork(work: Work): Promise<AgentStatusEntry>;

  /** How full the context windows of agents at work are. */
  contextBudget(request?: BudgetRequest): Promise<BudgetResult>;
  /** Counts a week and writes nothing. */
  countWeek(request?: DigestRequest): Promise<DigestResult>;
  /** Counts a week and writes it to `digests/DIGEST-YYYY-Wnn.md`. */
  digest(request?: DigestRequest): Promise<WrittenDigest>;
  /** The same figures over the last days, with a series of days for a chart. */
  metrics(request?: MetricsRequest): Promise<MetricsResult>;

  /** Tells that something in the store may have changed, by whatever process. Returns the function that ends it. */
  watch(listener: (change: Change) => void): () => void;
  /**
   * Ends what this app has under way: agents at work are ended and what waited for them rejects with an AbortError, watches
   * end, the log is written out, the store lets go of what it holds. A store that was handed in stays open.
   */
  close(): Promise<void>;
  /** What a server wants to be shown; made at first use. */
  serverToken(): Promise<string>;
  /** Tells commands where a server listens; returns the function that takes it back. */
  noteServer(url: string): () => void;
  /** Where the page of this folder is served now, on this machine: `http://127.0.0.1:4820`. */
  pageUrl(): string | undefined;
  /** The files of the page, by name. */
  pageFiles(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>;

  /** The programs that the configuration would start, and whether this user has approved them. */
  programs(): Promise<{ readonly programs: readonly Program[]; readonly isApproved: boolean }>;
  approvePrograms(): Promise<void>;

  /** Examines everything in the folder; with `repair`, puts right what is not the user's own. */
  doctor(request?: DoctorRequest): Promise<Diagnosis>;
}

/**
 * CONFIG_ERROR where the settings keep records where this version cannot.
 *
 * The only place that names concrete adapters. Each use case is loaded when it is first called: a command that hooks call
 * at every boundary pays only for what it does.
 */
export function createApp(options: AppOptions): App {
  const { root: folder, env = process.env, anyStore = false, runners = {} } = options;
  const root = resolve(folder);
  if (!anyStore && options.store === undefined) refuseElsewhere(root);
  const layout = layoutOf(root);
  const clock = options.clock ?? systemClock;
  const log = createLog({ folder: join(layout.state, 'logs'), level: logLevelOf(env.AGENTX_LOG) });
  const store =
    options.store ??
    openFileStore({
      root,
      agent: env.AGENTX_AGENT || 'agentx',
      onContention: (contention) =>
        log[contention.step === 'refused' ? 'warn' : 'info']('lock contention', { ...contention }),
    });
  const closing = new AbortController();
  const { signal } = closing;
  // Any number of agents may be at work.
  setMaxListeners(0, signal);
  const underWay = new Set<Promise<unknown>>();
  const watches = new Set<() => void>();
  /** Whatever may wait for an agent: `close` breaks it off and waits for its end. */
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const working = work();
    underWay.add(working);
    try {
      return await working;
    } finally {
      underWay.delete(working);
    }
  };
  const bus = createEventBus({ onError: (error) => log.error('A listener failed.', { error }) });
  const base = { store, clock, bus, log };
  let settings: Promise<Config> | undefined;
  const config = () => {
    settings ??= import('./config.js').then(({ loadConfig }) => loadConfig(root));
    return settings;
  };
  let engine: Promise<Engine> | undefined;
  const open = () => {
    engine ??= Promise.all([import('./hub-ports.js'), config()]).then(([{ openEngine }, settings]) =>
      openEngine(root, base, { config: settings, env, runners, signal }),
    );
    return engine;
  };
  const ports = async () => (await open()).ports;
  const takeFallbacks = async () => {
    if (!(await (await import('../inbox/inbox-due.js')).isInboxDue(base))) return [];
    return (await import('../inbox/complete-inbox.js')).completeInbox(await ports());
  };
  const goOnWithout = async (taken: readonly Question[], options?: GoOnOptions) => {
    if (taken.length === 0) return [];
    return (await import('../inbox/go-on-without.js')).goOnWithout(await ports(), taken, options);
  };
  /** The board needs none of what agents need. */
  const boardPorts = async () => ({ ...base, projectId: (await config()).project });

  return {
    root,
    ...base,
    config,

    ask: (request) => during(async () => (await import('../hub/conversation.js')).ask(await ports(), given(request))),
    openAsk: async (request) => {
      const [{ openAsk }, { resultOf }] = await Promise.all([import('../hub/ask.js'), import('../hub/ports.js')]);
      return resultOf(await openAsk(await ports(), given(request)));
    },
    route: (clarificationId, until) =>
      during(async () => {
        const [{ route }, engine] = await Promise.all([import('../hub/conversation.js'), ports()]);
        return route({ ...engine, signal: either(signal, until) }, { clarificationId });
      }),
    followUp: (request) =>
      during(async () => (await import('../hub/conversation.js')).followUp(await ports(), given(request))),
    openFollowUp: async (request) => {
      const [hub, { resultOf }] = await Promise.all([import('../hub/follow-up.js'), import('../hub/ports.js')]);
      const { record, error } = await hub.openFollowUp(await ports(), given(request));
      if (error !== undefined) throw error;
      return resultOf(record);
    },
    answer: async (request) => (await import('../hub/answer.js')).answer(await ports(), given(request)),
    resolve: async (request) => (await import('../hub/resolve.js')).resolve(await ports(), given(request)),
    escalate: async (request) => (await import('../hub/escalate.js')).escalate(await ports(), given(request)),
    runCheck: (options) =>
      during(async () => {
        // First, because what it settles the monitor need not look at any more.
        const failures = await goOnWithout(await takeFallbacks(), options);
        const checked = await (await import('../monitor/sweep.js')).runCheckIfNeeded(base, ports, options);
        return { ...checked, warnings: [...failures, ...checked.warnings] };
      }),
    completeInbox: async (announce) => {
      const taken = await takeFallbacks();
      if (announce !== undefined) await goOnWithout(taken, { retry: false, announce });
      return taken;
    },

    run: (request) =>
      during(async () => {
        const [{ runIssue }, { openEngine }, { loadConfig }] = await Promise.all([
          import('../run/run-issue.js'),
          import('./hub-ports.js'),
          import('./config.js'),
        ]);
        // A server may run for weeks: what a run goes by is read when it goes on.
        const engine = openEngine(root, base, { config: loadConfig(root), env, runners });
        return runIssue(engine.ports, { ...given(request), signal: either(signal, request.signal) });
      }),

    showQuestion: async (id) => (await import('../inbox/show-question.js')).showQuestion(base, id),
    answerQuestion: async (request) =>
      (await import('../inbox/answer-question.js')).answerQuestion(await ports(), given(request)),
    declineQuestion: async (request) =>
      (await import('../inbox/end-question.js')).declineQuestion(await ports(), given(request)),
    dismissQuestion: async (request) =>
      (await import('../inbox/end-question.js')).dismissQuestion(await ports(), given(request)),
    whoWaitsFor: async (id) => (await import('../inbox/who-waits.js')).whoWaitsFor(base, id),

    askHumans: async (request) =>
      (await import('../inbox/ask-humans.js')).askHumans(await ports(), {
        ...given(request),
        origin: outsideOrigin(crypto.randomUUID()),
      }),
    keepAlive: async (request) => (await import('../inbox/keep-alive.js')).keepAlive(await ports(), given(request)),
    confirmAssumption: async (request) =>
      (await import('../inbox/assumption-verdict.js')).confirmAssumption(await ports(), given(request)),
    rejectAssumption: async (request) =>
      (await import('../inbox/assumption-verdict.js')).rejectAssumption(await ports(), given(request)),

    createIssue: async (draft) => (await import('../board/issues.js')).createIssue(await boardPorts(), given(draft)),
    commentIssue: async (comment) =>
      (await import('../board/issues.js')).commentIssue(await boardPorts(), given(comment)),
    closeIssue: async (number) => {
      const [board, inbox] = await Promise.all([import('../board/issues.js'), import('../inbox/supersede.js')]);
      const issue = await board.closeIssue(await boardPorts(), number);
      await inbox.supersedeGone(await ports(), number);
      return issue;
    },
    reopenIssue: async (number) => (await import('../board/issues.js')).reopenIssue(await boardPorts(), number),
    readyQueue: async (active) => (await import('../board/ready.js')).readyQueue(base, active),
    readySummaries: async (active) => (await import('../board/ready.js')).readySummaries(base, active),
    whoIsAtWhat: async () => (await import('../board/standings.js')).whoIsAtWhat(base),
    unfinishedRuns: async () => (await import('../board/standings.js')).unfinishedRuns(base),
    setStatus: async (request) =>
      (await import('../board/agent-status.js')).setStatus(await boardPorts(), given(request)),
    startWork: async (work) => (await import('../board/agent-status.js')).startWork(await boardPorts(), given(work)),
    finishWork: async (work) => (await import('../board/agent-status.js')).finishWork(await boardPorts(), given(work)),

    contextBudget: async (request) => {
      const { contextBudget } = await import('../report/budget.js');
      return contextBudget({ store, config: (await open()).config }, request);
    },
    digest: async (request = {}) => (await import('./digest.js')).writtenDigest({ root, store, clock }, request),

    metrics: async (request) => (await import('../report/metrics.js')).metrics(base, request),
    countWeek: async (request = {}) => (await import('../report/digest.js')).digest(base, request),
    watch: (listener) => {
      const end = store.watch(listener);
      watches.add(end);
      return () => {
        watches.delete(end);
        end();
      };
    },
    close: async () => {
      closing.abort();
      for (const end of watches) end();
      watches.clear();
      await Promise.allSettled(underWay);
      await log.flush();
      if (options.store === undefined) await store.close();
    },
    serverToken: async () => (await import('./server-files.js')).serverToken(layout.state),
    noteServer: (url) => noteServer(layout.state, url),
    pageUrl: () => runningServer(layout.state),
    pageFiles: async () => (await import('./server-files.js')).pageFiles(),

    programs: async () => {
      const { programsOf } = await import('../agents/trust.js');
      const { config, trust } = await open();
      return { programs: programsOf(config), isApproved: trust.isApproved(config) };
    },
    approvePrograms: async () => {
      const { config, trust } = await open();
      await trust.approve(config);
    },

    doctor: async (request) => (await import('./doctor.js')).doctor({ root, env, base }, request),
  };
}

const systemClock: Clock = {
  now: () => new Date().toISOString(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
};

function either(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given]);
}

/** Who calls from plain JavaScript may leave out what the types ask for. */
function given<T>(request: T): T {
  if (typeof request === 'object' && request !== null) return request;
  throw new AgentXError(
    'INVALID_INPUT',
    'The request is missing. It is an object, with the fields that its type names.',
  );
}

/** On a repository of its own, where scripted agents show what happens when they ask. */
export async function createDemoApp(options: DemoRequest): Promise<App> {
  const { makeDemoRepository } = await import('./demo-repository.js');
  return createApp({ root: makeDemoRepository(options) });
}
