import { type Digest, type Figures, judge } from '../../src/protocol/digest.js';

const NO_TOTALS = {
  clarifications: 0,
  resolved: 0,
  escalated: 0,
  abandoned: 0,
  rounds: 0,
  stale: 0,
  deadlocks: 0,
  remembered: 0,
};
const NO_RATES = {
  averageRounds: null,
  autoResolution: null,
  escalation: null,
  misunderstanding: null,
  reworkPerIssue: null,
  askPrecision: null,
  askRecall: null,
  regret: null,
};
const DATES = ['2026-02-23', '2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'];

/** A week of four clarifications, one of which a human had to decide; or one in which nothing happened. */
export function aDigest({ isQuiet = false, ...fields }: Partial<Digest> & { readonly isQuiet?: boolean } = {}): Digest {
  const figures = isQuiet ? quietWeek() : busyWeek();
  const before = {
    week: '2026-W08',
    totals: { ...NO_TOTALS, clarifications: 1, resolved: 1, rounds: 1 },
    rates: { ...NO_RATES, averageRounds: 1, autoResolution: 1, escalation: 0 },
  };
  return {
    week: '2026-W09',
    from: '2026-02-23T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    ...figures,
    targets: judge(figures, before),
    before,
    skipped: 0,
    ...fields,
  };
}

function quietWeek(): Figures {
  const nothing = { count: 0, medianMs: null, p90Ms: null };
  return {
    totals: NO_TOTALS,
    rates: NO_RATES,
    topics: [],
    agents: [],
    timeToAnswer: { agents: nothing, humans: nothing },
    questions: { asked: 0, answered: 0, fallbackApplied: 0, otherwiseEnded: 0 },
    assumptions: { made: 0, confirmed: 0, rejected: 0 },
    reviews: { total: 0, rejected: 0, misunderstood: 0 },
    rework: { cycles: 0, issues: 0 },
    days: DATES.map((date) => ({ date, asked: 0, resolved: 0, escalated: 0 })),
  };
}

function busyWeek(): Figures {
  const quiet = quietWeek();
  const counts = [2, 0, 1, 1, 0, 0, 0];
  return {
    ...quiet,
    totals: { ...NO_TOTALS, clarifications: 4, resolved: 3, escalated: 1, rounds: 6 },
    rates: { ...NO_RATES, averageRounds: 2, autoResolution: 0.75, escalation: 0.25 },
    topics: [
      { topic: 'Database adapter', count: 3, clarifications: ['CLR-42-001', 'CLR-42-002', 'CLR-43-001'] },
      { topic: 'Audit logs', count: 1, clarifications: ['CLR-42-003'] },
    ],
    agents: [
      { agent: 'engineer', asked: 3, answered: 0, escalated: 1 },
      { agent: 'reviewer', asked: 1, answered: 0, escalated: 0 },
      { agent: 'architect', asked: 0, answered: 6, escalated: 0 },
    ],
    timeToAnswer: { ...quiet.timeToAnswer, agents: { count: 6, medianMs: 12_000, p90Ms: 125_000 } },
    questions: { asked: 1, answered: 1, fallbackApplied: 0, otherwiseEnded: 0 },
    days: quiet.days.map((day, index) => ({ ...day, asked: counts[index] ?? 0 })),
  };
}
