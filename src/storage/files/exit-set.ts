/** What a process has to release before it ends. The set listens for that end only while it is not empty. */
export class ExitSet<T> {
  readonly #items = new Set<T>();

  constructor(private readonly atExit: (item: T) => void) {}

  get size(): number {
    return this.#items.size;
  }

  has(item: T): boolean {
    return this.#items.has(item);
  }

  add(item: T): void {
    if (this.#items.size === 0) process.on('exit', this.#end);
    this.#items.add(item);
  }

  delete(item: T): void {
    if (this.#items.delete(item) && this.#items.size === 0) process.off('exit', this.#end);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.values();
  }

  readonly #end = () => {
    for (const item of this.#items) this.atExit(item);
  };
}
