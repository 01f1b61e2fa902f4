/** So many in a row and so many per second: a bucket that fills up again. All callers share it. */
export class RateLimit {
  #tokens: number;
  #at: number;

  constructor(
    private readonly options: { readonly burst: number; readonly perSecond: number; readonly now: () => number },
  ) {
    this.#tokens = options.burst;
    this.#at = options.now();
  }

  /** False if it is too much; then `retrySeconds` says when to try again. */
  take(): boolean {
    const { burst, perSecond, now } = this.options;
    const at = now();
    this.#tokens = Math.min(burst, this.#tokens + ((at - this.#at) / 1000) * perSecond);
    this.#at = at;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  get retrySeconds(): number {
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.options.perSecond));
  }
}

export interface RateLimits {
  readonly all: RateLimit;
  readonly strangers: RateLimit;
}

/** Clients with the token may be quick; those that guess may not. */
export function rateLimits(now: () => number): RateLimits {
  return {
    all: new RateLimit({ burst: 5_000, perSecond: 5_000, now }),
    strangers: new RateLimit({ burst: 50, perSecond: 5, now }),
  };
}
