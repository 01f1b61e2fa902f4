import type { Usage } from './usage.js';

/* The totals of one week. Only what happened in the week counts; a share without a whole is null. */

export interface DigestTotals {
  /** Clarifications that were asked. */
  readonly clarifications: number;
  readonly resolved: number;
  readonly escalated: number;
  readonly abandoned: number;
  /** Answers, by agents and by people. */
  readonly rounds: number;
  /** Clarifications whose target was late. */
  readonly stale: number;
  /** Clarifications that a human had to decide because agents waited for each other. */
  readonly deadlocks: number;
  /** Questions that memory answered and that the requester accepted: no target and no human had to answer. */
  readonly remembered: number;
}

export interface DigestRates {
  /** How many rounds the resolved ones took. */
  readonly averageRounds: number | null;
  /** The share of those resolved without a human, of those resolved or escalated. */
  readonly autoResolution: number | null;
  /** The share of escalated ones, of those asked or escalated. */
  readonly escalation: number | null;
  /** The share of reviews that rejected because of a misunderstanding. */
  readonly misunderstanding: number | null;
  /** How often work was sent back, per issue worked on. */
  readonly reworkPerIssue: number | null;
  /** The share of answers to agents' questions that were not what the agent recommended or would have done anyway. */
  readonly askPrecision: number | null;
  /** The share of what was unclear that was asked about, not found afterwards in a review or by a rejected assumption. */
  readonly askRecall: number | null;
  /** The share of rejected assumptions, of those that a person judged. */
  readonly regret: number | null;
}

export interface DigestTopic {
  readonly topic: string;
  readonly count: number;
  /** The clarifications about it, oldest first. */
  readonly clarifications: readonly string[];
}

export interface DigestAgent {
  readonly agent: string;
  readonly asked: number;
  readonly answered: number;
  /** How many of its own questions went to a human. */
  readonly escalated: number;
}

export interface AnswerTimes {
  readonly count: number;
  readonly medianMs: number | null;
  readonly p90Ms: number | null;
}

export interface DigestDay {
  readonly date: string;
  readonly asked: number;
  readonly resolved: number;
  readonly escalated: number;
}

/** One figure beside its target. `isMet` is null if there is nothing to measure. */
export interface DigestTarget {
  readonly id: string;
  readonly label: string;
  readonly unit: 'share' | 'number';
  readonly value: number | null;
  readonly target: string;
  readonly isMet: boolean | null;
  /** The same figure of the week before. */
  readonly before: number | null;
}

/** Everything that is counted in a span of time. */
export interface Figures {
  readonly totals: DigestTotals;
  readonly rates: DigestRates;
  readonly topics: readonly DigestTopic[];
  /** Agents that ask most come first. */
  readonly agents: readonly DigestAgent[];
  readonly timeToAnswer: { readonly agents: AnswerTimes; readonly humans: AnswerTimes };
  readonly questions: {
    readonly asked: number;
    readonly answered: number;
    readonly fallbackApplied: number;
    readonly otherwiseEnded: number;
  };
  readonly assumptions: { readonly made: number; readonly confirmed: number; readonly rejected: number };
  readonly reviews: { readonly total: number; readonly rejected: number; readonly misunderstood: number };
  readonly rework: { readonly cycles: number; readonly issues: number };
  /** What agents on models used; absent if there were none. */
  readonly models?: Usage;
  readonly days: readonly DigestDay[];
}

export interface Digest extends Figures {
  readonly week: string;
  /** The first instant of the week, and the first after it. */
  readonly from: string;
  readonly to: string;
  readonly targets: readonly DigestTarget[];
  readonly before: { readonly week: string; readonly totals: DigestTotals; readonly rates: DigestRates };
  /** Files that could not be read and are not counted. */
  readonly skipped: number;
}

type Measured = Pick<Figures, 'totals' | 'rates'>;

interface Goal {
  readonly id: string;
  readonly label: string;
  readonly unit: 'share' | 'number';
  readonly target: string;
  readonly of: (figures: Measured) => number | null;
  readonly isMet: (value: number) => boolean;
}

const GOALS: readonly Goal[] = [
  {
    id: 'autoResolution',
    label: 'Resolved without a human',
    unit: 'share',
    target: '> 80 %',
    of: ({ rates }) => rates.autoResolution,
    isMet: (value) => value > 0.8,
  },
  {
    id: 'escalation',
    label: 'Escalated to a human',
    unit: 'share',
    target: '< 20 %',
    of: ({ rates }) => rates.escalation,
    isMet: (value) => value < 0.2,
  },
  {
    id: 'averageRounds',
    label: 'Rounds per resolution',
    unit: 'number',
    target: '2 to 3',
    of: ({ rates }) => rates.averageRounds,
    isMet: (value) => isWithin(value, { min: 2, max: 3 }),
  },
  {
    id: 'misunderstanding',
    label: 'Rejected as misunderstood',
    unit: 'share',
    target: '< 15 %',
    of: ({ rates }) => rates.misunderstanding,
    isMet: (value) => value < 0.15,
  },
  {
    id: 'reworkPerIssue',
    label: 'Rework cycles per issue',
    unit: 'number',
    target: '< 1.5',
    of: ({ rates }) => rates.reworkPerIssue,
    isMet: (value) => value < 1.5,
  },
  {
    id: 'askPrecision',
    label: 'Answers changing the plan',
    unit: 'share',
    target: '> 50 %',
    of: ({ rates }) => rates.askPrecision,
    isMet: (value) => value > 0.5,
  },
  {
    id: 'askRecall',
    label: 'Asked, not found later',
    unit: 'share',
    target: '> 80 %',
    of: ({ rates }) => rates.askRecall,
    isMet: (value) => value > 0.8,
  },
  {
    id: 'regret',
    label: 'Assumptions rejected',
    unit: 'share',
    target: '< 20 %',
    of: ({ rates }) => rates.regret,
    isMet: (value) => value < 0.2,
  },
  {
    id: 'stale',
    label: 'Stale clarifications',
    unit: 'number',
    target: '0',
    of: ({ totals }) => totals.stale,
    isMet: (value) => value === 0,
  },
  {
    id: 'deadlocks',
    label: 'Deadlocks',
    unit: 'number',
    target: '0',
    of: ({ totals }) => totals.deadlocks,
    isMet: (value) => value === 0,
  },
];

/** Compared as shown, with two digits, so that a shown `2` never misses `2 to 3`. */
function isWithin(value: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  const roundedValue = Math.round(value * 100) / 100;
  return roundedValue >= min && roundedValue <= max;
}

export function judge(figures: Measured, before: Measured): readonly DigestTarget[] {
  return GOALS.map(({ of, isMet, ...goal }) => {
    const value = of(figures);
    return { ...goal, value, isMet: value === null ? null : isMet(value), before: of(before) };
  });
}

/** Whether nothing happened that a digest reports. */
export function isQuiet({ totals, questions, reviews, rework, assumptions }: Figures): boolean {
  const counts = [totals, questions, reviews, rework, assumptions].flatMap((group) => Object.values(group));
  return counts.every((count) => count === 0);
}
