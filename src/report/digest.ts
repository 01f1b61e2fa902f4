import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';
import type { Assumption } from '../protocol/assumption.js';
import type { ClarificationRecord } from '../protocol/clarification.js';
import { type Digest, type Figures, judge } from '../protocol/digest.js';
import type { AgentXError } from '../protocol/errors.js';
import { parseWeek, type Span, weekBefore, weekOf, weekSpan } from '../protocol/iso-week.js';
import type { Question } from '../protocol/question.js';
import type { Run } from '../protocol/run.js';
import {
  agentsOf,
  clarificationRates,
  daysWith,
  happeningsOf,
  share,
  totalsOf,
  waitsOf,
} from './digest-clarifications.js';
import { topicsOf } from './digest-topics.js';
import {
  answerTimes,
  assumptionsOf,
  humanWaitsOf,
  planChangesOf,
  questionsOf,
  unclearAskedIn,
  workOf,
} from './digest-work.js';

/** Everything that a digest is counted from. */
export interface Records {
  readonly clarifications: readonly ClarificationRecord[];
  readonly runs: readonly Run[];
  readonly questions: readonly Question[];
  readonly assumptions: readonly Assumption[];
}

export interface DigestResult {
  readonly digest: Digest;
  /** What could not be read and is not counted. */
  readonly damaged: readonly AgentXError[];
}

export interface DigestPorts {
  readonly store: Store;
  readonly clock: Clock;
}

/** The digest of a week, by default the present one. */
export async function digest(
  { store, clock }: DigestPorts,
  request: { readonly week?: string } = {},
): Promise<DigestResult> {
  const week = request.week === undefined ? weekOf(clock.now()) : parseWeek(request.week);
  const { records, damaged } = await readRecords(store);
  return { digest: { ...digestOf(week, records), skipped: damaged.length }, damaged };
}

export async function readRecords(
  store: Store,
): Promise<{ readonly records: Records; readonly damaged: readonly AgentXError[] }> {
  const [ledgers, runs, questions, assumptions] = await Promise.all([
    store.ledgers.list(),
    store.runs.list(),
    store.questions.list(),
    store.assumptions.list(),
  ]);
  return {
    records: {
      clarifications: ledgers.items.map(({ record }) => record),
      runs: runs.items.map(({ run }) => run),
      questions: questions.items,
      assumptions: assumptions.items,
    },
    damaged: [ledgers, runs, questions, assumptions].flatMap((listing) => listing.damaged),
  };
}

/** Pure: the same records give the same digest, whenever it is made. */
export function digestOf(week: string, records: Records): Digest {
  const span = weekSpan(week);
  const figures = figuresOf(records, span);
  const figuresBefore = figuresOf(records, weekSpan(weekBefore(week)));
  return {
    week,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    ...figures,
    targets: judge(figures, figuresBefore),
    before: { week: weekBefore(week), totals: figuresBefore.totals, rates: figuresBefore.rates },
    skipped: 0,
  };
}

export function figuresOf({ clarifications, runs, questions, assumptions }: Records, span: Span): Figures {
  const happenings = happeningsOf(clarifications, span);
  const { reviews, rework, models } = workOf(runs, span);
  const totals = totalsOf(happenings);
  const questionCounts = questionsOf(questions, span);
  const answers = planChangesOf(questions, span);
  const assumptionCounts = assumptionsOf(assumptions, span);
  const askedAbout = totals.clarifications + unclearAskedIn(questions, span);
  return {
    totals,
    rates: {
      ...clarificationRates(happenings),
      misunderstanding: share(reviews.misunderstood, reviews.total),
      reworkPerIssue: share(rework.cycles, rework.issues),
      askPrecision: share(answers.changed, answers.total),
      askRecall: share(askedAbout, askedAbout + reviews.misunderstood + assumptionCounts.rejected),
      regret: share(assumptionCounts.rejected, assumptionCounts.confirmed + assumptionCounts.rejected),
    },
    topics: topicsOf(happenings.asked),
    agents: agentsOf(happenings),
    timeToAnswer: { agents: answerTimes(waitsOf(happenings)), humans: answerTimes(humanWaitsOf(questions, span)) },
    questions: questionCounts,
    assumptions: assumptionCounts,
    reviews,
    rework,
    ...(models === undefined ? {} : { models }),
    days: daysWith(happenings, span),
  };
}
