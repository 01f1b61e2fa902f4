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
import type { EndQuestionRequest } from '../inbox/end-question.js';
import type { InboxResult } from '../inbox/settle-question.js';
import type { CheckOptions, CheckResult } from '../monitor/sweep.js';
import type { Clock } from '../ports/clock.js';
import type { EventBus } from '../ports/event-bus.js';
import type { Log } from '../ports/log.js';
import type { Store } from '../ports/store.js';
import type { AgentStatusEntry } from '../protocol/agent-status.js';
import type { Config } from '../protocol/config.js';
import type { AgentXError } from '../protocol/errors.js';
import type { Issue } from '../protocol/issue.js';
import type { Question } from '../protocol/question.js';
import { layoutOf } from '../storage/files/layout.js';
import { openFileStore } from '../storage/files/store.js';
import { createEventBus } from './event-bus.js';
import type { Engine } from './hub-ports.js';
import { createLog } from './log.js';

export interface AppOptions {
  /** The `.agentx` folder. */
  readonly root: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
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
  followUp(request: FollowUpRequest): Promise<HubResult>;
  answer(request: AnswerRequest): Promise<HubResult>;
  resolve(request: ResolveRequest): Promise<HubResult>;
  escalate(request: EscalateRequest): Promise<HubResult>;
  runCheck(options?: CheckOptions): Promise<CheckResult>;

  showQuestion(id: string): Promise<Question>;
  answerQuestion(request: AnswerQuestionRequest): Promise<InboxResult>;
  declineQuestion(request: EndQuestionRequest): Promise<InboxResult>;
  dismissQuestion(request: EndQuestionRequest): Promise<InboxResult>;

  createIssue(draft: NewIssue): Promise<Issue>;
  commentIssue(comment: NewComment): Promise<Issue>;
  closeIssue(number: number): Promise<Issue>;
  reopenIssue(number: number): Promise<Issue>;
  /** `damaged` is what could not be read; it keeps nobody from the rest. */
  readyQueue(): Promise<ReadyQueue & { readonly damaged: readonly AgentXError[] }>;
  setStatus(request: StatusRequest): Promise<AgentStatusEntry>;
  startWork(work: Work): Promise<AgentStatusEntry>;
  finishWork(work: Work): Promise<AgentStatusEntry>;

  /** The programs that the configuration would start, and whether this user has approved them. */
  programs(): Promise<{ readonly programs: readonly Program[]; readonly isApproved: boolean }>;
  approvePrograms(): Promise<void>;
}

/**
 * The only place that names concrete adapters. Each use case is loaded when it is first called: a command that hooks call
 * at every boundary pays only for what it does.
 */
export function createApp({ root: folder, env = process.env }: AppOptions): App {
  const root = resolve(folder);
  const store = openFileStore({ root });
  const clock: Clock = { now: () => new Date().toISOString(), sleep };
  const log = createLog({ folder: join(layoutOf(root).state, 'logs') });
  const bus = createEventBus({ onError: (error) => log.error('A listener failed.', { error }) });
  const base = { store, clock, bus, log };
  let engine: Promise<Engine> | undefined;
  const open = () => {
    engine ??= import('./hub-ports.js').then(({ openEngine }) => openEngine(root, base, env));
    return engine;
  };
  const ports = async () => (await open()).ports;

  return {
    root,
    ...base,
    config: async () => (await open()).config,

    ask: async (request) => (await import('../hub/ask.js')).ask(await ports(), request),
    followUp: async (request) => (await import('../hub/follow-up.js')).followUp(await ports(), request),
    answer: async (request) => (await import('../hub/answer.js')).answer(await ports(), request),
    resolve: async (request) => (await import('../hub/resolve.js')).resolve(await ports(), request),
    escalate: async (request) => (await import('../hub/escalate.js')).escalate(await ports(), request),
    runCheck: async (options) => (await import('../monitor/sweep.js')).runCheck(await ports(), options),

    showQuestion: async (id) => (await import('../inbox/show-question.js')).showQuestion(base, id),
    answerQuestion: async (request) =>
      (await import('../inbox/answer-question.js')).answerQuestion(await ports(), request),
    declineQuestion: async (request) =>
      (await import('../inbox/end-question.js')).declineQuestion(await ports(), request),
    dismissQuestion: async (request) =>
      (await import('../inbox/end-question.js')).dismissQuestion(await ports(), request),

    createIssue: async (draft) => (await import('../board/issues.js')).createIssue(await ports(), draft),
    commentIssue: async (comment) => (await import('../board/issues.js')).commentIssue(await ports(), comment),
    closeIssue: async (number) => (await import('../board/issues.js')).closeIssue(await ports(), number),
    reopenIssue: async (number) => (await import('../board/issues.js')).reopenIssue(await ports(), number),
    readyQueue: async () => (await import('../board/ready.js')).readyQueue(base),
    setStatus: async (request) => (await import('../board/agent-status.js')).setStatus(await ports(), request),
    startWork: async (work) => (await import('../board/agent-status.js')).startWork(await ports(), work),
    finishWork: async (work) => (await import('../board/agent-status.js')).finishWork(await ports(), work),

    programs: async () => {
      const { programsOf } = await import('../agents/trust.js');
      const { config, trust } = await open();
      return { programs: programsOf(config), isApproved: trust.isApproved(config) };
    },
    approvePrograms: async () => {
      const { config, trust } = await open();
      await trust.approve(config);
    },
  };
}

/** On a repository of its own, where scripted agents show what happens when they ask. */
export async function createDemoApp(options: { readonly thinkingSeconds: number }): Promise<App> {
  const { makeDemoRepository } = await import('./demo-repository.js');
  return createApp({ root: makeDemoRepository(options) });
}
