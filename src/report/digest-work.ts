import type { Assumption } from '../protocol/assumption.js';
import type { AnswerTimes, Figures } from '../protocol/digest.js';
import { isWithin, type Span } from '../protocol/iso-week.js';
import type { Question, QuestionResponse } from '../protocol/question.js';
import { isFallback } from '../protocol/question-answerers.js';
import { fallbackFor } from '../protocol/question-fallback.js';
import type { Run } from '../protocol/run.js';
import { usageOfRun } from '../protocol/run-usage.js';
import { sumOf } from '../protocol/usage.js';

/** What runs, earlier attempts included, say about reviews and repeated work. */
export function workOf(runs: readonly Run[], span: Span): Pick<Figures, 'reviews' | 'rework' | 'models'> {
  const entries = runs.map(({ past = [], journal }) => [...past, ...journal].filter(({ at }) => isWithin(span, at)));
  const reviews = entries.flat().flatMap((entry) => (entry.type === 'turn-ended' ? (entry.review ?? []) : []));
  const rejectedReviews = reviews.filter(({ verdict }) => verdict === 'rejected');
  const usages = entries.map((journal) => usageOfRun({ journal }).total).filter(({ calls }) => calls > 0);
  return {
    ...(usages.length === 0 ? {} : { models: sumOf(...usages) }),
    reviews: {
      total: reviews.length,
      rejected: rejectedReviews.length,
      misunderstood: rejectedReviews.filter(({ cause }) => cause === 'misunderstanding').length,
    },
    rework: {
      cycles: entries.flat().filter(({ type }) => type === 'reopened').length,
      issues: entries.filter((journal) => journal.some(({ type }) => type === 'turn-ended' || type === 'reopened'))
        .length,
    },
  };
}

export function questionsOf(questions: readonly Question[], span: Span): Figures['questions'] {
  const endedQuestions = endedIn(questions, span);
  const count = (outcome: Question['outcome']) =>
    endedQuestions.filter((question) => question.outcome === outcome).length;
  const [answeredCount, fallbackApplied] = [count('answered'), count('fallback_applied')];
  return {
    asked: questions.filter(({ createdAt }) => isWithin(span, createdAt)).length,
    answered: answeredCount,
    fallbackApplied,
    otherwiseEnded: endedQuestions.length - answeredCount - fallbackApplied,
  };
}

/** The questions by which agents find out what is unclear. Escalations are clarifications; the others are about the work itself. */
const isAboutUnclear = ({ kind }: Question): boolean => kind === 'open_question' || kind === 'pm_clarification';

export function unclearAskedIn(questions: readonly Question[], span: Span): number {
  return questions.filter((question) => isAboutUnclear(question) && isWithin(span, question.createdAt)).length;
}

/**
 * How many answers of people, part by part, were other than what the agent recommended or declared as its fallback.
 * Without asking, the agent would have done something else. An agent that declared nothing had no plan, so every answer counts. A late
 * answer counts when it came, unless the person kept the assumption.
 */
export function planChangesOf(
  questions: readonly Question[],
  span: Span,
): { readonly total: number; readonly changed: number } {
  const answers = questions.filter(isAboutUnclear).flatMap((question) => {
    const { responses = [], lateResponses = [], kept = [] } = question;
    const inTime = endedIn([question], span).length === 0 ? [] : responses.filter((one) => !isFallback(question, one));
    const lateInSpan = lateResponses.filter(({ at }) => isWithin(span, at)).flatMap((one) => one.responses);
    const countedResponses = [...inTime, ...lateInSpan.filter(({ questionId }) => !kept.includes(questionId))];
    return countedResponses.map((response) => ({ question, response }));
  });
  return { total: answers.length, changed: answers.filter((answer) => !isAsPlanned(answer)).length };
}

interface Answer {
  readonly question: Question;
  readonly response: QuestionResponse;
}

function isAsPlanned({ question, response }: Answer): boolean {
  const part = question.questions.find(({ id }) => id === response.questionId);
  const fallback = part && fallbackFor(question, part);
  const plannedOptions = (part?.options ?? []).filter(
    ({ id, recommended }) => recommended || id === fallback?.optionId,
  );
  const chosenIds = response.optionIds ?? [];
  if (chosenIds.length > 0) return chosenIds.every((id) => plannedOptions.some((option) => option.id === id));
  const words = [fallback?.text, ...plannedOptions.map(({ label }) => label)];
  return words.some(
    (text) => text !== undefined && text.trim().toLowerCase() === response.answer?.trim().toLowerCase(),
  );
}

export function humanWaitsOf(questions: readonly Question[], span: Span): readonly number[] {
  return endedIn(questions, span)
    .filter(({ outcome }) => outcome === 'answered')
    .map(({ createdAt, resolvedAt }) => Math.max(0, Date.parse(resolvedAt ?? createdAt) - Date.parse(createdAt)));
}

export function assumptionsOf(assumptions: readonly Assumption[], span: Span): Figures['assumptions'] {
  const during = (at: string | undefined) => at !== undefined && isWithin(span, at);
  const decidedAssumptions = assumptions.filter(({ decidedAt }) => during(decidedAt));
  return {
    made: assumptions.filter(({ createdAt }) => during(createdAt)).length,
    confirmed: decidedAssumptions.filter(({ status }) => status === 'confirmed').length,
    rejected: decidedAssumptions.filter(({ status }) => status === 'rejected').length,
  };
}

/** By nearest rank: a time that really occurred. */
export function answerTimes(waits: readonly number[]): AnswerTimes {
  const sortedWaits = waits.toSorted((a, b) => a - b);
  const at = (part: number) => sortedWaits[Math.ceil(part * sortedWaits.length) - 1] ?? null;
  return { count: sortedWaits.length, medianMs: at(0.5), p90Ms: at(0.9) };
}

function endedIn(questions: readonly Question[], span: Span): readonly Question[] {
  return questions.filter(({ resolvedAt }) => resolvedAt !== undefined && isWithin(span, resolvedAt));
}
