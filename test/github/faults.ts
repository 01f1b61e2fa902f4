/* What goes wrong between a program and GitHub, on demand. */

export type Fault =
  /** Refused, and not carried out. */
  | { readonly kind: 'status'; readonly status: number; readonly message: string; readonly headers?: Headers_ }
  /** Carried out, but the connection ends before, or in the middle of, the response. */
  | { readonly kind: 'lost response' | 'half a response' }
  /** The connection ends before anything is carried out. */
  | { readonly kind: 'hang-up' }
  /** No answer for as long as the client waits. */
  | { readonly kind: 'silence' }
  /** Something between the two answers in the name of GitHub. */
  | { readonly kind: 'nonsense'; readonly body: string; readonly status?: number };

type Headers_ = Readonly<Record<string, string>>;

export type FaultRule = Fault & {
  /** What of; every request without it. */
  readonly on?: RegExp;
  /** How often; always without it. */
  readonly times?: number;
};

export function serverError(status = 502): Fault {
  return { kind: 'status', status, message: 'Server Error' };
}

/** Too much at once; GitHub says how many seconds to wait. */
export function secondaryLimit(seconds: number): Fault {
  const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  return { kind: 'status', status: 403, message, headers: { 'retry-after': String(seconds) } };
}

/** The same in the words of older servers. */
export function abuseLimit(seconds: number): Fault {
  const message = 'You have triggered an abuse detection mechanism. Please retry your request again later.';
  return { kind: 'status', status: 403, message, headers: { 'retry-after': String(seconds) } };
}

export function primaryLimit(resetInSeconds: number): Fault {
  const headers = {
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + resetInSeconds),
  };
  return { kind: 'status', status: 403, message: 'API rate limit exceeded for user ID 1.', headers };
}

/** The first that applies, counted. */
export class Faults {
  readonly #rules: { readonly rule: FaultRule; left: number }[] = [];

  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#rules.length = 0;
  }

  next(operation: string): Fault | undefined {
    const match = this.#rules.find(({ rule, left }) => left > 0 && (rule.on?.test(operation) ?? true));
    if (match === undefined) return undefined;
    match.left -= 1;
    return match.rule;
  }
}
