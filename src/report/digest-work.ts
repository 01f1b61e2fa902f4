import type { Assumption } from '../protocol/assumption.js';
import type { AnswerTimes, Figures } from '../protocol/digest.js';
import { isWithin, type Span } from '../protocol/iso-week.js';
import type { Question, QuestionPart } from '../protocol/question.js';
import { latestResponses, outcomeOf } from '../protocol/question-answerers.js';
import { fallbackFor } from '../protocol/question-fallback.js';
import type { Run } from '../protocol/run.js';
import { usageOfRun } from '../protocol/run-usage.js';
import { sumOf } from '../protocol/usage.js';

/** What runs, earlier attempts included, say about reviews and repeated work. */
export function workOf(runs: readonly Run[], span: Span): Pick<Figures, 'reviews' | 'rework' | 'models'> {
  const entries = runs.map(({ past = [], journal }) => [...past, ...journal].filter(({ at }) => isWithin(span, at)));
  const reviews = entries.flat().flatMap((entry) => (entry.type === 'turn-ended' ? (entry.review ?? []) : []));
  const rejected = reviews.filter(({ verdict }) => verdict === 'rejected');
  const used = entries.map((journal) => usageOfRun({ journal }).total).filter(({ calls }) => calls > 0);
  return {
    ...(used.length === 0 ? {} : { models: sumOf(...used) }),
    reviews: {
      total: reviews.length,
      rejected: rejected.length,
      misunderstood: rejected.filter(({ cause }) => cause === 'misunderstanding').length,
    },
    rework: {
      cycles: entries.flat().filter(({ type }) => type === 'reopened').length,
      issues: entries.filter((journal) => journal.some(({ type }) => type === 'turn-ended' || type === 'reopened'))
        .length,
    },
  };
}

export function questionsOf(questions: readonly Question[], span: Span): Figures['questions'] {
  const ended = endedIn(questions, span);
  const count = (outcome: Question['outcome']) => ended.filter((question) => question.outcome === outcome).length;
  const [answered, fallbackApplied] = [count('answered'), count('fallback_applied')];
  return {
    asked: questions.filter(({ createdAt }) => isWithin(span, createdAt)).length,
    answered,
    fallbackApplied,
    otherwiseEnded: ended.length - answered - fallbackApplied,
  };
}

/**
 * How many answers of people, part by part, were other than what the agent recommended or declared as its fallback: without
 * asking it would have done something else. An agent that declared nothing had no plan, so every answer counts.
 */
export function planChangesOf(
  questions: readonly Question[],
  span: Span,
): { readonly total: number; readonly changed: number } {
  const answers = endedIn(questions, span)
    .filter(({ kind }) => kind === 'open_question' || kind === 'pm_clarification')
    .flatMap((question) => question.questions.map((part) => ({ question, part })))
    .filter(({ question, part }) => outcomeOf(question, part.id) === 'answered');
  return { total: answers.length, changed: answers.filter((answer) => !isAsPlanned(answer)).length };
}

function isAsPlanned({ question, part }: { readonly question: Question; readonly part: QuestionPart }): boolean {
  const response = latestResponses(question).find(({ questionId }) => questionId === part.id);
  const fallback = fallbackFor(question, part);
  const planned = (part.options ?? []).filter(({ id, recommended }) => recommended || id === fallback?.optionId);
  const chosen = response?.optionIds ?? [];
  if (chosen.length > 0) return chosen.every((id) => planned.some((option) => option.id === id));
  const words = [fallback?.text, ...planned.map(({ label }) => label)];
  return words.some(
    (text) => text !== undefined && text.trim().toLowerCase() === response?.answer?.trim().toLowerCase(),
  );
}

export function humanWaitsOf(questions: readonly Question[], span: Span): readonly number[] {
  return endedIn(questions, span)
    .filter(({ outcome }) => outcome === 'answered')
    .map(({ createdAt, resolvedAt }) => Math.max(0, Date.parse(resolvedAt ?? createdAt) - Date.parse(createdAt)));
}

export function assumptionsOf(assumptions: readonly Assumption[], span: Span): Figures['assumptions'] {
  const during = (at: string | undefined) => at !== undefined && isWithin(span, at);
  const decided = assumptions.filter(({ decidedAt }) => during(decidedAt));
  return {
    made: assumptions.filter(({ createdAt }) => during(createdAt)).length,
    confirmed: decided.filter(({ status }) => status === 'confirmed').length,
    rejected: decided.filter(({ status }) => status === 'rejected').length,
  };
}

/** By nearest rank: a time that really occurred. */
export function answerTimes(waits: readonly number[]): AnswerTimes {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? null;
  return { count: sorted.length, medianMs: at(0.5), p90Ms: at(0.9) };
}

function endedIn(questions: readonly Question[], span: Span): readonly Question[] {
  return questions.filter(({ resolvedAt }) => resolvedAt !== undefined && isWithin(span, resolvedAt));
}
