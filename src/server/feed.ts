import { randomUUID } from 'node:crypto';
import type { App } from '../app/app.js';
import { CHANGED_KINDS, type Change, type ChangedDocument, type ChangedKind } from '../ports/changes.js';
import type { AgentStatusFile } from '../protocol/agent-status.js';
import type { Assumption } from '../protocol/assumption.js';
import { type ClarificationRecord, isActive } from '../protocol/clarification.js';
import { AgentXError, messageOf } from '../protocol/errors.js';
import type { FeedMessage, FeedNews } from '../protocol/feed.js';
import { parseClarificationId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import { standingOf } from '../protocol/run-standing.js';

const KEPT_MESSAGES = 2_000;
/** Notices come in bursts: one look serves all that arrive meanwhile. */
const GATHER_MS = 15;
/** What could not be read now could not be read a moment later either. */
const LOOK_AGAIN_MS = 1_000;

/**
 * The changes in the project, as numbered messages. The feed compares the store with its last look at it. So changes by
 * this process, by other processes and by hand are all reported in the same way, once.
 */
export class Feed {
  readonly epoch = randomUUID();
  #seq = 0;
  #messages: FeedMessage[] = [];
  /** The last number that is no longer kept. */
  #forgotten = 0;
  #lastLook: LastLook | undefined;
  #changed = new Map<string, ChangedDocument>();
  #isAllToBeSeen = false;
  #isLooking = false;
  readonly #listeners = new Set<(message: FeedMessage) => void>();

  constructor(
    private readonly app: App,
    private readonly projectId: string,
  ) {}

  get seq(): number {
    return this.#seq;
  }

  /** As of the last look. */
  openQuestions(): Iterable<Question> {
    return this.#lastLook?.questions.values() ?? [];
  }

  /** Starts from the present state, which is no news. Returns the function that ends it. */
  async start(): Promise<() => void> {
    const stop = this.app.watch((change) => this.lookAt(change));
    try {
      this.#lastLook = await firstLook(this.app);
    } catch (error) {
      stop();
      throw error;
    }
    void this.#look();
    return stop;
  }

  onMessage(listener: (message: FeedMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The messages after a number; undefined if they are no longer kept, or the number is not from here. */
  since(seq: number, epoch: string): readonly FeedMessage[] | undefined {
    if (epoch !== this.epoch || seq < this.#forgotten || seq > this.#seq) return undefined;
    return this.#messages.filter((message) => message.seq > seq);
  }

  /** Call this when something may have changed there. */
  lookAt(change: Change): void {
    if (change.kind === 'everything') this.#isAllToBeSeen = true;
    else this.#changed.set(`${change.kind} ${change.id}`, change);
    void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#lastLook === undefined) return;
    this.#isLooking = true;
    while (this.#changed.size > 0 || this.#isAllToBeSeen) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      if (!(await this.#isServed())) break;
      if (this.#isAllToBeSeen) await this.#noteAll(this.#lastLook);
      const changes = [...this.#changed.values()];
      this.#changed.clear();
      for (const change of changes) await this.#lookAt(this.#lastLook, change);
    }
    this.#isLooking = false;
  }

  /** If the whole folder is gone, its questions have not ended: what changed is seen when it is back. */
  async #isServed(): Promise<boolean> {
    try {
      await this.app.requireServed();
      return true;
    } catch (error) {
      this.#isAllToBeSeen = true;
      this.#changed.clear();
      this.app.log.warn('what changed could not be looked at', { error: messageOf(error) });
      return false;
    }
  }

  /** Every document that was seen, or is there now, may have changed. */
  async #noteAll(last: LastLook): Promise<void> {
    this.#isAllToBeSeen = false;
    try {
      for (const change of await documentsOf(this.app, last)) this.lookAt(change);
    } catch (error) {
      this.app.log.warn('what may have changed could not be listed', { error: messageOf(error) });
      this.#lookAgain({ kind: 'everything', id: '' });
    }
  }

  #lookAgain(change: Change): void {
    setTimeout(() => this.lookAt(change), LOOK_AGAIN_MS).unref();
  }

  /**
   * One unreadable document does not keep the others from being reported. A damaged document is looked at again when its
   * file changes. No change announces that a disk answers again.
   */
  async #lookAt(last: LastLook, change: ChangedDocument): Promise<void> {
    try {
      await LOOKS[change.kind](this.app, last, change.id, (news) => this.#tell(news));
    } catch (error) {
      this.app.log.warn('a change could not be read', { ...change, error: messageOf(error) });
      if (error instanceof AgentXError && error.code === 'STORE_ERROR') this.#lookAgain(change);
    }
  }

  #tell(news: FeedNews): void {
    this.#seq += 1;
    const message: FeedMessage = Object.assign({ type: news.type, projectId: this.projectId }, news, {
      seq: this.#seq,
    });
    this.#messages = this.#messages.filter((earlierMessage) => !isOutdatedBy(earlierMessage, message));
    this.#messages.push(message);
    if (this.#messages.length > KEPT_MESSAGES * 2) {
      this.#forgotten = this.#messages.splice(0, KEPT_MESSAGES).at(-1)?.seq ?? 0;
    }
    for (const listener of this.#listeners) listener(message);
  }
}

/** Each message about a question holds all of it: while a person types, there would be thousands of them. */
function isOutdatedBy(earlierMessage: FeedMessage, message: FeedMessage): boolean {
  return (
    earlierMessage.type === 'notification.updated' &&
    message.type === 'notification.updated' &&
    earlierMessage.notification.id === message.notification.id
  );
}

/** What the last look saw: enough to recognise what is new, changed or gone. */
interface LastLook {
  /** Open questions. */
  readonly questions: Map<string, Question>;
  /** Active clarifications, by id. */
  readonly clarifications: Map<string, ClarificationRecord>;
  agents: AgentStatusFile;
  /** For these, only what distinguishes one state from the next. */
  readonly issues: Map<string, string>;
  readonly runs: Map<string, string>;
  readonly assumptions: Map<string, Assumption>;
}

type Tell = (news: FeedNews) => void;

/** The state at the start. For issues and runs, whatever comes is news. */
async function firstLook(app: App): Promise<LastLook> {
  const [questions, clarifications, agents, assumptions] = await Promise.all([
    app.questions('open'),
    app.clarifications('active'),
    app.statuses().catch(() => ({})),
    app.assumptions(),
  ]);
  return {
    questions: new Map(questions.items.map((question) => [question.id, question])),
    clarifications: new Map(clarifications.items.map((record) => [record.id, record])),
    agents,
    issues: new Map(),
    runs: new Map(),
    assumptions: new Map(assumptions.items.map((assumption) => [keyOf(assumption), assumption])),
  };
}

/** Every document that a look may be about: those that were seen, and those that are there. */
async function documentsOf(app: App, last: LastLook): Promise<readonly ChangedDocument[]> {
  const now = await firstLook(app);
  const issueOf = (record: ClarificationRecord) => String(parseClarificationId(record.id).issueNumber);
  const issueNumbers = (await app.issues()).items.map(({ number }) => String(number));
  const ids: Readonly<Record<ChangedKind, readonly string[]>> = {
    questions: [...last.questions.keys(), ...now.questions.keys()],
    clarifications: [...last.clarifications.values(), ...now.clarifications.values()].map(issueOf),
    agents: [''],
    issues: issueNumbers,
    runs: issueNumbers,
    assumptions: [...now.assumptions.values()].map(({ issueNumber }) => String(issueNumber)),
    // What was remembered is searched when it is wanted: a client that missed something has nothing to catch up with.
    observations: [],
  };
  return CHANGED_KINDS.flatMap((kind) => ids[kind].map((id) => ({ kind, id })));
}

/** Each reads one document again, reports how it differs from the last look, and updates that look. */
const LOOKS: Readonly<Record<ChangedKind, (app: App, last: LastLook, id: string, tell: Tell) => Promise<void>>> = {
  async questions(app, { questions }, id, tell) {
    const [questionBefore, now] = [questions.get(id), await app.question(id)];
    if (now?.status === 'open') {
      questions.set(id, now);
      if (questionBefore === undefined) tell({ type: 'notification.added', notification: now });
      else if (isChanged(questionBefore, now)) tell({ type: 'notification.updated', notification: now });
    } else if (questionBefore !== undefined) {
      questions.delete(id);
      const { source, sourceId } = questionBefore;
      const { outcome, answeredBy, responses, reason } = now ?? {};
      tell({
        type: 'notification.resolved',
        notificationId: id,
        source,
        sourceId,
        ...(outcome && { outcome }),
        ...(answeredBy && { answeredBy }),
        ...(responses && { responses }),
        ...(reason && { reason }),
      });
    }
  },

  async clarifications(app, { clarifications }, id, tell) {
    const ledger = await app.ledger(Number(id));
    for (const record of ledger.clarifications) {
      const recordBefore = clarifications.get(record.id);
      if (isActive(record)) clarifications.set(record.id, record);
      else if (!clarifications.delete(record.id)) continue;
      const isNewRound = recordBefore === undefined || recordBefore.round < record.round;
      const isOther = isNewRound || recordBefore.status !== record.status;
      // A target that is asked once more goes back to pending in the same round.
      if (isNewRound || (isOther && record.status === 'pending'))
        tell({ type: 'clarification.requested', ...payloadOf(record) });
      if (isOther && record.status !== 'pending')
        tell({ type: `clarification.${record.status}`, ...payloadOf(record) });
    }
  },

  async agents(app, last, _, tell) {
    const [agentsBefore, now] = [last.agents, await app.statuses()];
    last.agents = now;
    for (const [agent, entry] of Object.entries(now)) {
      if (JSON.stringify(agentsBefore[agent]) !== JSON.stringify(entry))
        tell({ type: 'agent.status', agent, ...entry });
    }
  },

  async issues(app, { issues }, id, tell) {
    const issue = await app.issue(Number(id));
    if (issue === undefined) return;
    const { updated, status, state, taskStatus, assignee, block_reason } = issue;
    const mark = JSON.stringify([updated, status, state, taskStatus, assignee, block_reason]);
    if (issues.get(id) === mark) return;
    issues.set(id, mark);
    tell({ type: 'task.updated', taskId: id, status: taskStatus, assignee, block_reason, column: status });
  },

  async runs(app, { runs }, id, tell) {
    const unfinishedRun = await app.unfinishedRun(Number(id));
    const run =
      unfinishedRun === undefined
        ? await app.latestRun(Number(id))
        : standingOf(unfinishedRun, await openAmong(app, unfinishedRun.run.waitingOn));
    if (run === undefined) return;
    const { id: runId, issueNumber, status, phase, waitingOn, updatedAt } = run;
    const goOn = 'goOn' in run && typeof run.goOn === 'string' ? { goOn: run.goOn } : {};
    const mark = `${runId} ${updatedAt} ${status} ${goOn.goOn}`;
    if (runs.get(id) === mark) return;
    runs.set(id, mark);
    tell({ type: 'run.updated', runId, issueNumber, status, phase, waitingOn, ...goOn });
  },

  async assumptions(app, { assumptions }, id, tell) {
    const { items } = await app.assumptions(Number(id));
    for (const assumption of items) {
      const assumptionBefore = assumptions.get(keyOf(assumption));
      assumptions.set(keyOf(assumption), assumption);
      if (assumptionBefore === undefined || assumptionBefore.status !== assumption.status)
        tell({ type: 'assumption.updated', assumption });
    }
  },

  async observations(_app, _seen, id, tell) {
    tell({ type: 'memory.updated', issueNumber: Number(id) });
  },
};

/** As they are now: a question that has ended may still be open in the last look. */
async function openAmong(app: App, questionIds: readonly string[]): Promise<ReadonlySet<string>> {
  const questions = await Promise.all(questionIds.map((id) => app.question(id)));
  return new Set(questions.flatMap((question) => (question?.status === 'open' ? question.id : [])));
}

/** Notes, such as who is typing, raise no revision. */
function isChanged(before: Question, now: Question): boolean {
  const markOf = ({ revision, expiresAt, typing, snoozed, drafts }: Question) =>
    `${revision} ${expiresAt} ${typing?.at} ${snoozed?.until} ${drafts?.map(({ at, version }) => `${at} ${version}`)}`;
  return markOf(before) !== markOf(now);
}

function payloadOf({ id, from, to, topic, blocking, round, status }: ClarificationRecord) {
  const { issueNumber } = parseClarificationId(id);
  return { clarificationId: id, issueNumber, fromAgent: from, toAgent: to, topic, blocking, round, status };
}

/** An assumption in the form of 002 has no id. */
function keyOf({ id, issueNumber, decision }: Assumption): string {
  return id ?? `${issueNumber} ${decision}`;
}
