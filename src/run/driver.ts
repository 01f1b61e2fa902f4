import { pause } from '../hub/agent-turn.js';
import type { Claim } from '../ports/store.js';
import { AgentXError } from '../protocol/errors.js';
import { isFinished, type Run, type RunEvent } from '../protocol/run.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { withinBudget } from './budget.js';
import type { RunContext } from './context.js';
import { type Action, decide, keyOf } from './decide.js';
import { endedQuestions } from './ended-questions.js';
import type { JournalBuffer } from './journal-buffer.js';
import { isSlow, perform } from './perform-action.js';
import type { RunPorts } from './ports.js';
import { NO_LIMITS } from './run-limits.js';
import { WakeUp } from './wake-up.js';

/*
 * Carries a run on: the next actions are decided from the journal, every action that is not at work yet is started, and
 * its results join the journal. When nothing is at work and humans have to answer first, the run pauses. A run that
 * waits looks at the questions now and then, because any process may answer them, and at once when this one answers.
 */

/** How often questions are looked at. */
const LOOK_EVERY_MS = 300;

export interface DriverOptions {
  readonly context: RunContext<keyof RunPorts>;
  readonly journal: JournalBuffer;
  readonly signal: AbortSignal;
  readonly claim: Claim;
  /** Whether to stay while humans are asked. */
  readonly wait: boolean;
}

export class Driver {
  readonly #wakeUp = new WakeUp();
  readonly #atWork = new Map<string, Action>();
  readonly #work = new Set<Promise<void>>();
  readonly #finished: { readonly key: string; readonly events: readonly RunEvent[] }[] = [];
  #failure: { readonly error: unknown } | undefined;
  #isLooking = false;

  constructor(private readonly options: DriverOptions) {}

  /** Resolves with the awaited questions when the run cannot go on without them, is over, or is broken off. */
  async drive(): Promise<readonly string[]> {
    const { context, signal } = this.options;
    const ring = () => this.#wakeUp.ring();
    signal.addEventListener('abort', ring);
    const unsubscribe = context.ports.bus.on('notification-resolved', ring);
    try {
      return await this.#goOn();
    } finally {
      signal.removeEventListener('abort', ring);
      unsubscribe();
    }
  }

  async #goOn(): Promise<readonly string[]> {
    const { context, journal, signal, wait } = this.options;
    for (;;) {
      const decision = decide(journal.run, context.workflow);
      const {
        actions,
        waitingOn,
        awaited = [],
      } = withinBudget(decision, journal.run, context.ports.limits ?? NO_LIMITS);
      const questions = [...new Set([...waitingOn, ...awaited])];
      if (signal.aborted) return waitingOn;
      if (isFinished(journal.run)) {
        if (await this.#isOutdated()) continue;
        return waitingOn;
      }
      this.#start(actions);
      if (this.#atWork.size === 0) {
        if (await this.#look(questions)) continue;
        if (waitingOn.length === 0) throw nothingToDo(journal.run);
        await this.#pause(waitingOn);
        if (!wait) return waitingOn;
      } else if ([...this.#atWork.values()].every(isSlow)) {
        // While agents work there is time to write; no action waits for it.
        journal.flush().catch((error: unknown) => this.#fail(error));
      }
      if (questions.length > 0) this.#lookLater();
      await this.#wakeUp.heard();
      this.#collect();
      if (this.#atWork.size > 0) await this.#look(questions);
    }
  }

  #start(actions: readonly Action[]): void {
    const stepsToReopen = new Set(actions.flatMap((action) => (action.type === 'reopen' ? action.steps : [])));
    const isOf = (action: Action, steps: ReadonlySet<string>) => 'step' in action && steps.has(action.step);
    const busy = new Set([...this.#atWork.values()].flatMap((action) => ('step' in action ? action.step : [])));
    const waits = [...busy].some((step) => stepsToReopen.has(step));
    for (const action of actions) {
      // A step is done again once no action of it is at work, and no step begins meanwhile.
      if (isOf(action, stepsToReopen) || isOf(action, busy) || (action.type === 'reopen' && waits)) continue;
      if (!this.#atWork.has(keyOf(action))) this.#perform(action);
    }
    if (this.#atWork.size > 0) this.#resume();
  }

  /** Whether the journal has newer events: a human may have sent steps back in the last moment. */
  async #isOutdated(): Promise<boolean> {
    const { journal } = this.options;
    await journal.flush();
    return !isFinished(journal.run);
  }

  #perform(action: Action): void {
    this.options.claim.lost.throwIfAborted();
    const key = keyOf(action);
    this.#atWork.set(key, action);
    const work = perform(this.options.context, action).then(
      (events) => {
        this.#finished.push({ key, events });
        this.#wakeUp.ring();
      },
      (error: unknown) => this.#fail(error),
    );
    this.#work.add(work);
    void work.then(() => this.#work.delete(work));
  }

  /** Resolves when nothing that was started is at work any more; soon, once the signal has broken it off. */
  async rest(): Promise<void> {
    await Promise.all(this.#work);
  }

  /** Throws our own failures: the journal stays as it is, and a later process goes on. */
  #collect(): void {
    const { journal } = this.options;
    if (this.#failure !== undefined) throw this.#failure.error;
    for (const { key, events } of this.#finished.splice(0)) {
      this.#atWork.delete(key);
      // Results that come in after a human stopped the run are dropped.
      if (!isFinished(journal.run)) journal.append(events);
    }
  }

  #fail(error: unknown): void {
    const { signal } = this.options;
    if (signal.aborted && error === signal.reason) return;
    this.#failure ??= { error };
    this.#wakeUp.ring();
  }

  async #look(waitingOn: readonly string[]): Promise<boolean> {
    const { context, journal, signal } = this.options;
    if (signal.aborted || isFinished(journal.run)) return false;
    const facts = await endedQuestions(context, waitingOn);
    // Others may have added to the journal, such as a human who wants steps done again.
    if (facts.length === 0) return waitingOn.length > 0 && journal.refresh();
    this.#resume();
    journal.append([{ type: 'record', at: context.ports.clock.now(), facts }]);
    return true;
  }

  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const ring = () => {
      this.#isLooking = false;
      this.#wakeUp.ring();
    };
    pause(this.options.context.ports, LOOK_EVERY_MS).then(ring, (error: unknown) => this.#fail(error));
  }

  async #pause(waitingOn: readonly string[]): Promise<void> {
    const { context, journal } = this.options;
    const { status, waitingOn: waitedOn, id: runId, issueNumber } = journal.run;
    const at = context.ports.clock.now();
    if (status === 'paused' && waitedOn.join() === waitingOn.join()) return;
    if (status === 'paused') journal.append([{ type: 'resume', at }]);
    journal.append([{ type: 'pause', at, waitingOn }]);
    await journal.flush();
    context.ports.bus.emit('run-paused', { runId, issueNumber, waitingOn, timestamp: toEpochMs(at) });
  }

  #resume(): void {
    const { context, journal } = this.options;
    if (journal.run.status !== 'paused') return;
    const at = context.ports.clock.now();
    journal.append([{ type: 'resume', at }]);
    const { id: runId, issueNumber } = journal.run;
    context.ports.bus.emit('run-resumed', { runId, issueNumber, timestamp: toEpochMs(at) });
  }
}

function nothingToDo({ id: runId, issueNumber }: Run): AgentXError {
  return new AgentXError(
    'INVALID_STATE',
    `Run ${runId} has nothing to do and nobody to wait for. Its journal is damaged.`,
    {
      runId,
      issueNumber,
    },
  );
}
