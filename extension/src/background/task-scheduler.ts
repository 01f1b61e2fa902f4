/** A piece of work that is done from time to time. */
export interface ScheduledTask {
  readonly everyMs: number;
  readonly work: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

export interface Timers {
  set(work: () => void, milliseconds: number): unknown;
  clear(timer: unknown): void;
}

const SYSTEM_TIMERS: Timers = {
  set: (work, milliseconds) => setTimeout(work, milliseconds).unref(),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/** Does tasks now and then; a task that takes longer than its time is not started twice. Nothing depends on it. */
export class TaskScheduler {
  readonly #ends = new Map<string, () => void>();

  constructor(private readonly timers: Timers = SYSTEM_TIMERS) {}

  get names(): readonly string[] {
    return [...this.#ends.keys()];
  }

  /** Does it at once, and then from time to time. Replaces a task of the same name. */
  schedule(name: string, { everyMs, work, failed }: ScheduledTask): void {
    this.cancel(name);
    let timer: unknown;
    let isEnded = false;
    const after = (waitMs: number) => {
      if (isEnded) return;
      timer = this.timers.set(() => {
        work()
          .catch(failed)
          .finally(() => after(everyMs));
      }, waitMs);
    };
    this.#ends.set(name, () => {
      isEnded = true;
      this.timers.clear(timer);
    });
    after(0);
  }

  cancel(name: string): void {
    this.#ends.get(name)?.();
    this.#ends.delete(name);
  }

  dispose(): void {
    for (const name of this.names) this.cancel(name);
  }
}
