import { orAborted } from '../../protocol/or-aborted.js';

/** Serves the callers in this process that wait for the same key one at a time, in their order. */
export class AsyncMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Resolves with the function that lets the next one in. Calling it twice does no harm. A caller that the signal breaks
   * off leaves the line.
   */
  async acquire(key: string, signal?: AbortSignal): Promise<() => void> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    let release: () => void = () => {};
    const untilReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tail = before.then(() => untilReleased);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    try {
      await orAborted(before, signal);
      return release;
    } catch (error) {
      release();
      throw error;
    }
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
