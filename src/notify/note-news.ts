import type { Store } from '../ports/store.js';

/** Makes the end of a question, or a late answer to it, news again, even if all its earlier news was sent. */
export async function noteNews({ deliveries }: Pick<Store, 'deliveries'>, questionId: string): Promise<void> {
  await deliveries.update((current) => {
    const { doneAt, ...entry } = current.questions[questionId] ?? { told: {} };
    const isNoted = current.questions[questionId] !== undefined && doneAt === undefined;
    const next = isNoted ? current : { ...current, questions: { ...current.questions, [questionId]: entry } };
    return { next, result: undefined };
  });
}
