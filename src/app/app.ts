import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { Program } from '../agents/trust.js';
import type { StatusRequest, Work } from '../board/agent-status.js';
import type { NewComment, NewIssue } from '../board/issues.js';
import type { Decisions } from '../github/ports.js';
import type { WebhookRequest } from '../github/webhook.js';
import type { AnswerRequest } from '../hub/answer.js';
import type { AskRequest } from '../hub/ask.js';
import type { HeardAnswer } from '../hub/asked-within.js';
import type { HubResult } from '../hub/change-record.js';
import type { EscalateRequest } from '../hub/escalate.js';
import type { FollowUpRequest } from '../hub/follow-up.js';
import type { ResolveRequest } from '../hub/resolve.js';
import type { AnswerQuestionRequest } from '../inbox/answer-question.js';
import type { AskWithinRequest } from '../inbox/ask-within.js';
import type { ConfirmAssumptionRequest, RejectAssumptionRequest } from '../inbox/assumption-verdict.js';
import type { RecordAssumptionRequest } from '../inbox/assumptions.js';
import type { EndQuestionRequest } from '../inbox/end-question.js';
import type { KeepAliveRequest } from '../inbox/keep-alive.js';
import type { InboxResult } from '../inbox/settle.js';
import type { SnoozeRequest } from '../inbox/snooze.js';
import type { GoOnOptions } from '../monitor/go-on-without.js';
import type { CheckOptions, CheckResult } from '../monitor/sweep.js';
import type { Change } from '../ports/changes.js';
import type { EventBus } from '../ports/event-bus.js';
import type { Log } from '../ports/log.js';
import type { Recall } from '../ports/recall.js';
import type { Store } from '../ports/store.js';
import type { AgentStatusEntry } from '../protocol/agent-status.js';
import type { AnsweredBefore } from '../protocol/answered-before.js';
import type { Assumption } from '../protocol/assumption.js';
import type { Config } from '../protocol/config.js';
import type { Diagnosis } from '../protocol/diagnosis.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { RunResult } from '../protocol/events.js';
import type { CopyState, IssueDraft, SyncReport, UnsentItem } from '../protocol/github.js';
import { parseIssueNumber } from '../protocol/ids.js';
import type { Issue } from '../protocol/issue.js';
import { outsideOrigin } from '../protocol/origin.js';
import { parseWith } from '../protocol/parse.js';
import { Question } from '../protocol/question.js';
import type { Mode } from '../protocol/storage-mode.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { BudgetRequest, BudgetResult } from '../report/budget.js';
import type { RunRequest } from '../run/run-issue.js';
import { layoutOf } from '../storage/files/layout.js';
import { checkedRequest } from './checked-request.js';
import type { DigestRequest, WrittenDigest } from './digest.js';
import type { DoctorRequest } from './doctor.js';
import type { Foundation } from './foundation.js';
import type { GitHubMode } from './github.js';
import type { Engine } from './hub-ports.js';
import type { InStep } from './keep-in-step.js';
import { Lookups } from './lookups.js';
import type { Memory } from './memory.js';
import type { Notices } from './notices.js';
import { noteServer, runningServer } from './running-servers.js';
import { namesChannels } from './storage-mode.js';

export interface SyncRequest {
  /** How long to wait for another process that exchanges changes. */
  readonly waitMs?: number;
  /** Skips what failed a moment ago: for callers that sync at intervals. */
  readonly isPatient?: boolean;
  readonly signal?: AbortSignal;
}

/** What every surface works with: the use cases, and the lookups (lookups.ts). */
export type App = Pick<OpenedApp, keyof OpenedApp>;

/**
 * Each use case is loaded when it is first called: a command that hooks call at every boundary pays only for what it
 * does. Members are properties, so that a caller can destructure an app.
 */
export class OpenedApp extends Lookups {
  readonly bus: EventBus;
  readonly log: Log;
  readonly #foundation: Foundation;
  readonly #base: Foundation['base'];
  readonly #store: Store;
  readonly #state: string;
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #watches = new Set<() => void>();
  #settings: Promise<Config> | undefined;
  #areSettingsWrong = false;
  #servedToken: string | undefined;
  #engine: Promise<Engine> | undefined;
  #memory: Promise<Memory> | undefined;

  constructor(foundation: Foundation) {
    super({ root: foundation.root, ...foundation.base });
    this.#foundation = foundation;
    this.#base = foundation.base;
    this.#store = foundation.base.store;
    this.#state = layoutOf(foundation.root).state;
    this.bus = foundation.base.bus;
    this.log = foundation.base.log;
    // Any number of agents may be at work.
    setMaxListeners(0, this.#closing.signal);
  }

  readonly config = (): Promise<Config> => {
    if (this.#settings === undefined || this.#areSettingsWrong) this.#settings = this.#readSettings();
    return this.#settings;
  };

  /** Wrong settings are read anew: a person may put them right while this process goes on. */
  async #readSettings(): Promise<Config> {
    const { loadConfig } = await import('./config.js');
    const { outer, settingsText } = this.#foundation;
    const text = this.#areSettingsWrong ? undefined : settingsText();
    this.#areSettingsWrong = true;
    const config = loadConfig(this.root, outer, text);
    this.#areSettingsWrong = false;
    return config;
  }

  readonly ask = (request: AskRequest): Promise<HubResult> =>
    this.#during(async () => (await import('../hub/conversation.js')).ask(await this.#ports(), causedOutside(request)));

  /** The same without waiting for the target, which `route` asks. */
  readonly openAsk = async (request: AskRequest): Promise<HubResult> => {
    const [{ openAsk }, { resultOf }] = await Promise.all([import('../hub/ask.js'), import('../hub/change-record.js')]);
    return resultOf(await openAsk(await this.#ports(), causedOutside(request)));
  };

  /**
   * Has the target of a pending clarification answer. If `signal` breaks it off, the target's program is ended, nothing
   * of it is recorded, and the promise rejects with the reason.
   */
  readonly route = (clarificationId: string, signal?: AbortSignal): Promise<HubResult> =>
    this.#during(async () => {
      const [{ route }, ports] = await Promise.all([import('../hub/conversation.js'), this.#ports()]);
      return route({ ...ports, signal: this.#closingOr(signal) }, { clarificationId });
    });

  readonly followUp = (request: FollowUpRequest): Promise<HubResult> =>
    this.#during(async () =>
      (await import('../hub/conversation.js')).followUp(await this.#ports(), causedOutside(request)),
    );

  /** The same without waiting for the target, which `route` asks. */
  readonly openFollowUp = async (request: FollowUpRequest): Promise<HubResult> => {
    const [hub, { resultOf }] = await Promise.all([import('../hub/follow-up.js'), import('../hub/change-record.js')]);
    const { record, error } = await hub.openFollowUp(await this.#ports(), causedOutside(request));
    if (error !== undefined) throw error;
    return resultOf(record);
  };

  readonly answer = async (request: AnswerRequest): Promise<HubResult> =>
    this.#decided((await import('../hub/answer.js')).answer(await this.#ports(), checkedRequest(request)));

  readonly resolve = async (request: ResolveRequest): Promise<HubResult> =>
    this.#decided((await import('../hub/resolve.js')).resolve(await this.#ports(), checkedRequest(request)));

  readonly escalate = async (request: EscalateRequest): Promise<HubResult> =>
    (await import('../hub/escalate.js')).escalate(await this.#ports(), checkedRequest(request));

  readonly runCheck = (options: CheckOptions = {}): Promise<CheckResult> =>
    this.#during(async () => {
      checkedRequest(options);
      // First, because what it settles needs no attention of the monitor.
      const warnings: AgentXError[] = [];
      const failures = await this.#goOnWithout(await this.#takeFallbacks((error) => warnings.push(error)), options);
      const { runCheckIfNeeded } = await import('../monitor/sweep.js');
      const checkResult = await runCheckIfNeeded(this.#base, () => this.#ports(), options);
      return { ...checkResult, warnings: [...warnings, ...failures, ...checkResult.warnings] };
    });

  /**
   * Applies the fallbacks that are due, which it returns, and completes what follows from questions. It starts no
   * agent: `announce` is told which clarifications can go on now, and how. `warn` is for callers that go on without:
   * it is told of settings and files that are damaged.
   */
  readonly completeInbox = async (
    announce?: (line: string) => void,
    warn?: (error: AgentXError) => void,
  ): Promise<readonly Question[]> => {
    const appliedFallbacks = await this.#takeFallbacks(warn);
    if (announce !== undefined) await this.#goOnWithout(appliedFallbacks, { retry: false, announce });
    return appliedFallbacks;
  };

  /**
   * Carries out the workflow of an issue, or goes on where an earlier process left it; the bus reports what happens.
   */
  readonly run = (request: RunRequest): Promise<RunResult> =>
    this.#during(async () => {
      const runRequest = checkedRequest(request);
      const [{ runWithMemory }, { loadConfig }] = await Promise.all([
        import('./run-with-memory.js'),
        import('./config.js'),
      ]);
      // A server may run for weeks: the settings of a run are read when it goes on.
      const config = loadConfig(this.root, this.#foundation.outer);
      this.#settings ??= Promise.resolve(config);
      const { tellNews, keepInStep } = this;
      const signal = this.#closingOr(runRequest.signal);
      return runWithMemory(this.#foundation, { ...runRequest, signal }, { config, tellNews, keepInStep });
    });

  readonly answerQuestion = async (request: AnswerQuestionRequest): Promise<InboxResult> =>
    (await import('../inbox/answer-question.js')).answerQuestion(await this.#ports(), checkedRequest(request));

  readonly declineQuestion = async (request: EndQuestionRequest): Promise<InboxResult> =>
    (await import('../inbox/end-question.js')).declineQuestion(await this.#ports(), checkedRequest(request));

  readonly dismissQuestion = async (request: EndQuestionRequest): Promise<InboxResult> =>
    (await import('../inbox/end-question.js')).dismissQuestion(await this.#ports(), checkedRequest(request));

  /**
   * Asks humans on behalf of an agent. Without an `origin`, each call is a question of its own unless an open one says
   * the same. `within` is the clarification that the agent is answering.
   */
  readonly askHumans = async (
    request: Omit<AskWithinRequest, 'origin'> & { readonly origin?: string },
  ): Promise<Question> => {
    const { origin = outsideOrigin(crypto.randomUUID()), ...askRequest } = checkedRequest(request);
    const [{ askWithin }, ports] = await Promise.all([import('../inbox/ask-within.js'), this.#ports()]);
    return askWithin(ports, { ...askRequest, origin });
  };

  /** For the run that an agent works in: whether the agent got, inside this turn, the answer to what it asked there. */
  readonly noteHeard = async (heardAnswer: HeardAnswer): Promise<void> =>
    (await import('../hub/asked-within.js')).noteWhetherHeard(this.#base, checkedRequest(heardAnswer));

  /** An agent's own assumption; the same origin is recorded once. */
  readonly recordAssumption = async (request: RecordAssumptionRequest): Promise<Assumption> =>
    (await import('../inbox/assumptions.js')).recordAssumption(await this.#ports(), checkedRequest(request));

  /** The agents of this project: those that are known, and those of the settings. */
  readonly agents = async (): Promise<readonly string[]> => (await this.#ports()).agents;

  /** The instructions of an agent: its file, else the shipped ones; undefined if it has none. */
  readonly role = async (agent: string): Promise<string | undefined> => {
    const { roleOf } = await import('./role-of.js');
    return roleOf(this.root, agent);
  };

  /** A person wants no reminder of a question for a while. */
  readonly snooze = async (request: SnoozeRequest): Promise<Question> =>
    (await import('../inbox/snooze.js')).snooze(this.#base, checkedRequest(request));

  /** What is wrong with the settings, unless this app has read them already. Correct settings cost next to nothing. */
  readonly settingsProblem = async (version: string): Promise<AgentXError | undefined> =>
    this.#settings === undefined
      ? (await import('./settings-problem.js')).settingsProblem(this.root, this.#foundation.settingsText(), version)
      : undefined;

  /** Whether the settings name channels through which people are reached; it costs next to nothing. */
  readonly hasChannels = (): boolean => namesChannels(this.#foundation.settingsText());

  /** How people are told what they are asked. */
  readonly notices = async (): Promise<Notices> => {
    const { Notices } = await import('./notices.js');
    return new Notices({ root: this.root, state: this.#state, env: this.#foundation.env, base: this.#base });
  };

  /**
   * Tells people the news beside other work, where the settings name channels. Returns a function that ends this and
   * waits for what is being sent.
   */
  readonly tellNews = (): (() => Promise<void>) => {
    const stop = new AbortController();
    const telling = this.notices()
      .then((notices) => notices.keepTelling({ signal: AbortSignal.any([stop.signal, this.#closing.signal]) }))
      .catch((error: unknown) => this.log.error('people are not told the news', { error: messageOf(error) }));
    this.#underWay.add(telling);
    return async () => {
      stop.abort();
      await telling;
      this.#underWay.delete(telling);
    };
  };

  /** A person is typing: the clock stands still, and the draft is kept. */
  readonly keepAlive = async (request: KeepAliveRequest): Promise<Question> =>
    (await import('../inbox/keep-alive.js')).keepAlive(await this.#ports(), checkedRequest(request));

  readonly confirmAssumption = async (request: ConfirmAssumptionRequest): Promise<Assumption> =>
    (await import('../inbox/assumption-verdict.js')).confirmAssumption(await this.#ports(), checkedRequest(request));

  /** Also opens a question: whether the work built on it is kept or done again. */
  readonly rejectAssumption = async (
    request: RejectAssumptionRequest,
  ): Promise<{ readonly assumption: Assumption; readonly question: Question }> =>
    (await import('../inbox/assumption-verdict.js')).rejectAssumption(await this.#ports(), checkedRequest(request));

  readonly createIssue = async (draft: NewIssue): Promise<Issue> =>
    (await import('../board/issues.js')).createIssue(await this.#boardPorts(), checkedRequest(draft));

  readonly commentIssue = async (comment: NewComment): Promise<Issue> =>
    (await import('../board/issues.js')).commentIssue(await this.#boardPorts(), checkedRequest(comment));

  readonly closeIssue = async (number: number): Promise<Issue> => {
    const [board, inbox] = await Promise.all([import('../board/issues.js'), import('../inbox/supersede.js')]);
    const issue = await board.closeIssue(await this.#boardPorts(), number);
    await inbox.supersedeGone(await this.#ports(), number);
    return issue;
  };

  readonly reopenIssue = async (number: number): Promise<Issue> =>
    (await import('../board/issues.js')).reopenIssue(await this.#boardPorts(), number);

  readonly setStatus = async (request: StatusRequest): Promise<AgentStatusEntry> =>
    (await import('../board/agent-status.js')).setStatus(await this.#boardPorts(), checkedRequest(request));

  readonly startWork = async (work: Work): Promise<AgentStatusEntry> =>
    (await import('../board/agent-status.js')).startWork(await this.#boardPorts(), checkedRequest(work));

  readonly finishWork = async (work: Work): Promise<AgentStatusEntry> =>
    (await import('../board/agent-status.js')).finishWork(await this.#boardPorts(), checkedRequest(work));

  /** What was remembered, and everything that is done with it. */
  readonly memory = (): Promise<Memory> => {
    this.#memory ??= Promise.all([import('./memory.js'), import('./embedder.js'), this.config()]).then(
      ([{ Memory }, { openEmbedder }, config]) => {
        const embedder = openEmbedder(config.memory.embedder, this.#foundation.env);
        return new Memory(this.#base, { config, logs: join(this.#state, 'logs'), embedder });
      },
    );
    this.#memory.catch(() => {
      this.#memory = undefined;
    });
    return this.#memory;
  };

  /** How full the context windows of agents at work are. */
  readonly contextBudget = async (request: BudgetRequest = {}): Promise<BudgetResult> => {
    const { contextBudget } = await import('../report/budget.js');
    return contextBudget({ store: this.#store, config: (await this.#open()).config }, checkedRequest(request));
  };

  /** Counts a week and writes it to `digests/DIGEST-YYYY-Wnn.md`. */
  readonly digest = async (request: DigestRequest = {}): Promise<WrittenDigest> =>
    (await import('./digest.js')).writtenDigest({ ...this.#base, root: this.root }, checkedRequest(request));

  /** What was decided when the same was asked before, for the person who is asked now. */
  readonly answeredBefore = async (question: Question): Promise<readonly AnsweredBefore[]> =>
    (await import('../hub/answered-before.js')).answeredBefore(
      await this.#ports(),
      parseWith(Question, question, 'The question'),
    );

  /** Calls back when something in the store may have changed, by any process. Returns the function that ends it. */
  readonly watch = (listener: (change: Change) => void): (() => void) => {
    const end = this.#store.watch(listener);
    this.#watches.add(end);
    return () => {
      this.#watches.delete(end);
      end();
    };
  };

  /**
   * Ends the work of this app. Agents at work are ended, and calls that waited for them reject with an AbortError.
   * Watches end, the log is written out, and the store releases what it holds. A store that was passed in stays open.
   */
  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    for (const end of this.#watches) end();
    this.#watches.clear();
    await Promise.allSettled(this.#underWay);
    await this.#foundation.close();
  };

  /** Where issues are kept. */
  get mode(): Mode {
    return this.#foundation.github === undefined ? 'local' : 'github';
  }

  /**
   * Exchanges changes with GitHub; what could not be done is in the report. INVALID_STATE in local mode. LOCK_TIMEOUT
   * if another process does so for longer than `waitMs`.
   */
  readonly syncGitHub = (options: SyncRequest = {}): Promise<SyncReport> =>
    this.#during(async () => {
      const request = checkedRequest(options);
      const github = await this.#github();
      const signal = this.#closingOr(request.signal);
      const decisions: Decisions = {
        answer: async (id, by, answer) => void (await this.answerQuestion({ id, by, ...answer })),
        end: async (id, by, how) =>
          void (await (how === 'decline' ? this.declineQuestion : this.dismissQuestion)({ id, by })),
        closed: async (number) =>
          void (await (await import('../inbox/supersede.js')).supersedeGone(await this.#ports(), number)),
      };
      return github.sync(decisions, { ...request, signal });
    });

  /**
   * Keeps in step with GitHub until it is ended; undefined in local mode. `onAnswered` is told which questions were
   * answered there.
   */
  readonly keepInStep = async (onAnswered: (questionId: string) => void = () => {}): Promise<InStep | undefined> => {
    if (this.mode === 'local') return undefined;
    const { keepInStep } = await import('./keep-in-step.js');
    const sync = (signal: AbortSignal) => this.syncGitHub({ signal, isPatient: true });
    return keepInStep({ sync, watch: this.watch, log: this.log, onAnswered });
  };

  /** Whether a sync may have something to do, at the cost of a glance. */
  readonly isSyncDue = async (): Promise<boolean> =>
    this.mode === 'github' &&
    this.#foundation.env.AGENTX_GITHUB_SYNC !== 'off' &&
    (await import('./github-copy.js')).isSyncDue(this.root, this.clock.now());

  /** How current the copy of GitHub's issues is; undefined in local mode. */
  readonly copyState = async (): Promise<CopyState | undefined> => {
    if (this.mode === 'local') return undefined;
    const { github } = await this.config();
    return { repo: github.repo ?? '', ...(await import('./github-copy.js')).copyState(this.root) };
  };

  /** What GitHub has not got yet: of one issue, or all that the last sync left. */
  readonly unsent = async (issue?: Issue): Promise<readonly UnsentItem[]> => {
    if (this.mode === 'local') return [];
    const github = await this.#github();
    return issue === undefined ? github.unsent() : github.unsentOf(issue);
  };

  /** Issues that GitHub has not created yet: it could not be asked, or refuses them. */
  readonly drafts = async (): Promise<readonly IssueDraft[]> =>
    this.mode === 'local' ? [] : (await this.#github()).drafts();

  /** Gives up a draft, by its id or the beginning of it. NOT_FOUND if there is none. */
  readonly discardDraft = async (id: string): Promise<IssueDraft> => (await this.#github()).discard(id);

  /** What a webhook of GitHub brought; kept for the next sync. */
  readonly takeDelivery = async (request: WebhookRequest): Promise<'new' | 'known' | 'ignored'> =>
    (await this.#github()).takeDelivery(checkedRequest(request));

  /**
   * Posts the digest of a week with the next sync: as a comment on an issue, or as a discussion where no issue is named.
   * Posting it again replaces the text.
   */
  readonly postDigest = async (request: DigestRequest & { readonly issueNumber?: number }): Promise<void> => {
    const { issueNumber, ...rest } = checkedRequest(request);
    const github = await this.#github();
    const isKnown = issueNumber === undefined || (await this.#store.issues.read(parseIssueNumber(issueNumber)));
    if (!isKnown) throw new AgentXError('NOT_FOUND', `There is no issue #${issueNumber}.`, { issueNumber });
    const { digest } = await this.digest(rest);
    const [{ digestMarkdown }, { defused }] = await Promise.all([
      import('../render/digest-markdown.js'),
      import('../render/github-text.js'),
    ]);
    const body = defused(digestMarkdown(digest));
    if (issueNumber !== undefined) await github.post(issueNumber, 'digest', digest.week, body);
    else await github.discuss(digest.week, { title: `Digest of ${digest.week}`, body });
  };

  /** Where the digest of a week is discussed; undefined while GitHub has not got it. */
  readonly digestDiscussion = async (week: string): Promise<string | undefined> =>
    (await this.#github()).discussionUrl(week);

  #github(): Promise<GitHubMode> {
    const { github } = this.#foundation;
    if (github !== undefined) return github();
    const problem = 'The issues of this project are files, not on GitHub: mode = "local" in .agentx/config.toml.';
    throw new AgentXError('INVALID_STATE', problem, { mode: 'local' });
  }

  /** The token that a server requires; made at first use. */
  readonly serverToken = async (): Promise<string> => {
    const token = (await import('./server-files.js')).serverToken(this.#state);
    this.#servedToken ??= token;
    return token;
  };

  /** STORE_ERROR if the folder that the first token was read from is gone, or another one is in its place. */
  readonly requireServed = async (): Promise<void> =>
    (await import('./server-files.js')).requireServed(this.#state, this.#servedToken);

  /** STORE_ERROR if nothing can be written there now. */
  readonly requireWritable = async (): Promise<void> =>
    (await import('./server-files.js')).requireWritable(this.#state);

  /** The key of the state that MCP clients keep for us; made at first use. */
  readonly mcpSecret = async (): Promise<string> =>
    (await import('./server-files.js')).secretIn(this.#state, 'mcp-secret');

  /** Whether a name was spent. Of all processes, one may spend it, once. */
  readonly isSpent = async (name: string): Promise<boolean> => (await import('./spent.js')).isSpent(this.#state, name);

  readonly spend = async (name: string): Promise<boolean> =>
    (await import('./spent.js')).spend(this.#state, name, toEpochMs(this.clock.now()));

  /** Tells commands where a server listens; returns the function that takes it back. */
  readonly noteServer = (url: string): (() => void) => noteServer(this.#state, url);

  /** Where the page of this folder is served now, on this machine: `http://127.0.0.1:4820`. */
  readonly pageUrl = (): string | undefined => runningServer(this.#state);

  /** The files of the page, by name. */
  readonly pageFiles = async (): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> =>
    (await import('./server-files.js')).pageFiles();

  /** The programs that the configuration would start, and whether this user has approved them. */
  readonly programs = async (): Promise<{ readonly programs: readonly Program[]; readonly isApproved: boolean }> => {
    const { programsOf } = await import('../agents/trust.js');
    const { config, trust } = await this.#open();
    return { programs: programsOf(config), isApproved: trust.isApproved(config) };
  };

  readonly approvePrograms = async (): Promise<void> => {
    const { FileLockManager } = await import('../storage/files/json-file-lock.js');
    const { config, trust } = await this.#open();
    await trust.approve(config, new FileLockManager());
  };

  /** Examines everything in the folder; with `repair`, repairs what is not the user's own. */
  readonly doctor = async (request: DoctorRequest = {}): Promise<Diagnosis> => {
    const { env, runners } = this.#foundation;
    const { doctor } = await import('./doctor.js');
    const diagnosis = await doctor({ root: this.root, env, base: this.#base, runners }, checkedRequest(request));
    if (this.mode === 'local') return diagnosis;
    const { mirrorProblems } = await import('./github-problems.js');
    const problems = await mirrorProblems(await this.#github(), await this.copyState());
    return { ...diagnosis, problems: [...diagnosis.problems, ...problems] };
  };

  /** For a target that asks for it. */
  readonly #recall: Recall = {
    recall: async (request) => (await (await this.memory()).recall(request)).section,
  };

  #open(): Promise<Engine> {
    const { env, runners, editor, outer } = this.#foundation;
    const { signal } = this.#closing;
    this.#engine ??= Promise.all([import('./hub-ports.js'), this.config()]).then(([{ openEngine }, config]) =>
      openEngine(this.root, this.#base, { config, env, runners, signal, recall: this.#recall, editor, outer }),
    );
    this.#engine.catch(() => {
      this.#engine = undefined;
    });
    return this.#engine;
  }

  async #ports(): Promise<Engine['ports']> {
    return (await this.#open()).ports;
  }

  /** The board needs none of what agents need. */
  async #boardPorts() {
    return { ...this.#base, projectId: (await this.config()).project };
  }

  async #takeFallbacks(warn?: (error: AgentXError) => void): Promise<readonly Question[]> {
    let isDue = false;
    try {
      isDue = await (await import('../inbox/inbox-due.js')).isInboxDue(this.#base);
      return isDue ? await (await import('../inbox/complete-inbox.js')).completeInbox(await this.#ports()) : [];
    } catch (error) {
      // Settings that keep the store itself from being used are an error to every caller.
      const mayGoOn = (code: string) => code === 'CORRUPT_FILE' || (isDue && code === 'CONFIG_ERROR');
      if (!(error instanceof AgentXError) || !mayGoOn(error.code)) throw error;
      if (warn === undefined && error.code === 'CONFIG_ERROR') throw error;
      if (warn === undefined) this.log.warn('the inbox was not completed', { error: error.message });
      warn?.(error);
      return [];
    }
  }

  async #goOnWithout(appliedFallbacks: readonly Question[], options?: GoOnOptions): Promise<readonly AgentXError[]> {
    if (appliedFallbacks.length === 0) return [];
    return (await import('../monitor/go-on-without.js')).goOnWithout(await this.#ports(), appliedFallbacks, options);
  }

  /** Ends what the target has asked humans in order to answer. If that fails, the decision stands all the same. */
  async #decided(deciding: Promise<HubResult>): Promise<HubResult> {
    const result = await deciding;
    const { clarificationId, issueNumber } = result;
    try {
      const { supersedeGone } = await import('../inbox/supersede.js');
      await supersedeGone(await this.#ports(), issueNumber);
    } catch (error) {
      this.#base.log.warn('questions of its target stay open', { clarificationId, error: messageOf(error) });
    }
    return result;
  }

  /** For everything that may wait for an agent: `close` breaks it off and waits for its end. */
  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#closing.signal.throwIfAborted();
    const working = work();
    this.#underWay.add(working);
    try {
      return await working;
    } finally {
      this.#underWay.delete(working);
    }
  }

  #closingOr(signal: AbortSignal | undefined): AbortSignal {
    const closing = this.#closing.signal;
    if (signal !== undefined && !(signal instanceof AbortSignal)) {
      throw new AgentXError('INVALID_INPUT', 'The signal is no AbortSignal. It may be left out.');
    }
    return signal === undefined ? closing : AbortSignal.any([closing, signal]);
  }
}

/** Asked by no run, unless the request says what caused it. */
function causedOutside<T extends { readonly origin?: string }>(request: T): T & { readonly origin: string } {
  const { origin = outsideOrigin(crypto.randomUUID()) } = checkedRequest(request);
  return { ...request, origin };
}
