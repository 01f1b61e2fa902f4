import type { ActResult, JournalEntry, Run } from '../protocol/run.js';

/* What the journal says of the past, for briefs and for the last line. */

type Entry<Type extends JournalEntry['type']> = Extract<JournalEntry, { readonly type: Type }>;

export function turnsOf(run: Pick<Run, 'journal'>, step: string): readonly Entry<'turn-ended'>[] {
  return run.journal.filter((entry) => entry.type === 'turn-ended').filter((entry) => entry.step === step);
}

export function actsOf(run: Pick<Run, 'journal'>, step?: string): readonly ActResult[] {
  return run.journal
    .filter((entry) => entry.type === 'turn-ended')
    .filter((entry) => step === undefined || entry.step === step)
    .flatMap(({ acts }) => acts);
}

/** The questions to humans from a step, about it, or in its name. */
export function questionsOf(run: Pick<Run, 'journal'>, step: string): readonly string[] {
  const questionIds = run.journal.flatMap((entry) => {
    if (entry.type === 'asked-what-next' && entry.step === step) return [entry.questionId];
    if (entry.type !== 'turn-ended' || entry.step !== step) return [];
    return entry.acts.flatMap(({ questionId, clarificationId }) =>
      questionId === undefined || clarificationId !== undefined ? [] : [questionId],
    );
  });
  return [...new Set(questionIds)];
}

export interface SentBack {
  readonly by: string;
  readonly cause?: string;
  readonly body?: string;
}

/** The reviews that sent the present attempt at a step back: several, if they ran side by side. */
export function reviewsBehind(run: Pick<Run, 'journal'>, step: string): readonly SentBack[] {
  const { journal } = run;
  const starts = journal.flatMap((entry, index) =>
    entry.type === 'step-started' && entry.step === step ? [index] : [],
  );
  const [before = 0, present = journal.length] = starts.slice(-2);
  return journal.slice(before, present).flatMap((entry, index) => {
    if (entry.type !== 'reopened' || !entry.steps.includes(step)) return [];
    const { by } = entry;
    if (by === undefined || by === step) return [];
    const { cause, body } = turnsOf({ journal: journal.slice(0, before + index) }, by).at(-1)?.review ?? {};
    return [{ by, ...(cause === undefined ? {} : { cause }), ...(body === undefined ? {} : { body }) }];
  });
}
