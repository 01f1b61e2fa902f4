import { type DigestDay, type DigestTarget, judge } from '../protocol/digest.js';
import { AgentXError } from '../protocol/errors.js';
import { dayOf, type Span } from '../protocol/iso-week.js';
import { toEpochMs } from '../protocol/timestamp.js';
import { type DigestPorts, figuresOf, type Records, readRecords } from './digest.js';

/** The figures of a dashboard over any number of days. */
export interface Metrics {
  /** The first day and the last, both included. */
  readonly from: string;
  readonly to: string;
  readonly total: number;
  readonly autoResolutionRate: number | null;
  readonly escalationRate: number | null;
  readonly averageRounds: number | null;
  readonly staleCount: number;
  readonly deadlockCount: number;
  /** Each figure beside its target and its value in as many days before. */
  readonly targets: readonly DigestTarget[];
  /** Clarifications asked, resolved and escalated on each day, for a chart. */
  readonly days: readonly DigestDay[];
}

export interface MetricsRequest {
  /** From 1 to 366; by default 30. */
  readonly days?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export interface MetricsResult {
  readonly metrics: Metrics;
  /** What could not be read and is not counted. */
  readonly damaged: readonly AgentXError[];
}

export async function metrics({ store, clock }: DigestPorts, request: MetricsRequest = {}): Promise<MetricsResult> {
  const { days = DEFAULT_DAYS } = request;
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new AgentXError('INVALID_INPUT', `${days} days cannot be counted. Allowed: from 1 to ${MAX_DAYS}.`, { days });
  }
  const { records, damaged } = await readRecords(store);
  return { metrics: metricsOf(records, { now: clock.now(), days }), damaged };
}

/** Pure. The last days up to and including today, in UTC. */
export function metricsOf(records: Records, { now, days }: { readonly now: string; readonly days: number }): Metrics {
  const to = (Math.floor(toEpochMs(now) / DAY_MS) + 1) * DAY_MS;
  const span: Span = { from: to - days * DAY_MS, to };
  const figures = figuresOf(records, span);
  const figuresBefore = figuresOf(records, { from: span.from - days * DAY_MS, to: span.from });
  const { totals, rates } = figures;
  return {
    from: dayOf(span.from),
    to: dayOf(to - DAY_MS),
    total: totals.clarifications,
    autoResolutionRate: rates.autoResolution,
    escalationRate: rates.escalation,
    averageRounds: rates.averageRounds,
    staleCount: totals.stale,
    deadlockCount: totals.deadlocks,
    targets: judge(figures, figuresBefore),
    days: figures.days,
  };
}
