const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof EXIT_CODES;

/** The first Ctrl-C ends the work in an orderly way, the second at once. */
export class Interrupt {
  readonly #controller = new AbortController();
  readonly #listeners = new Map<Signal, () => void>();
  #code: number | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const listener = () => this.hit(signal);
      this.#listeners.set(signal, listener);
      process.on(signal, listener);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code, once interrupted. */
  get code(): number | undefined {
    return this.#code;
  }

  hit(signal: Signal = 'SIGINT'): void {
    if (this.#code !== undefined) process.exit(this.#code);
    this.#code = EXIT_CODES[signal];
    this.#controller.abort();
  }

  close(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }
}
