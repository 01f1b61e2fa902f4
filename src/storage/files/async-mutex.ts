/** Serves the callers in this process that wait for the same key one at a time, in their order. */
export class AsyncMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /** Resolves with the function that lets the next one in. Calling it twice does no harm. */
  async acquire(key: string): Promise<() => void> {
    const before = this.#tails.get(key);
    let release: () => void = () => {};
    const untilReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tail = (before ?? Promise.resolve()).then(() => untilReleased);
    this.#tails.set(key, tail);
    await before;
    return () => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
      release();
    };
  }

  async withLock<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    const release = await this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
