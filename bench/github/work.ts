/** What a benchmark tells the server. */
export interface FreshRepository {
  readonly issues: number;
  /** How long it thinks about each request. */
  readonly latencyMs: number;
}

export interface SentRequest {
  /** `POST /repos/octocat/shop/issues/1/comments` */
  readonly route: string;
  readonly body?: unknown;
  readonly etag?: string;
}

export interface ServerReport {
  readonly url?: string;
  readonly requests?: readonly SentRequest[];
  readonly violations?: readonly string[];
}
