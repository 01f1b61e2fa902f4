import type { Store } from '../ports/store.js';
import { actName, isAskedInside } from '../protocol/origin.js';
import type { Question } from '../protocol/question.js';
import type { ActResult } from '../protocol/run.js';

/*
 * An agent may ask humans not only by its reply: its client calls a tool while the turn goes on. Such a question holds
 * the step as if the reply had asked it, and its answer joins the next brief. An agent that got the answer inside the
 * turn needs neither.
 */
export async function askedByTool(
  { questions }: Pick<Store, 'questions'>,
  issueNumber: number,
  turn: string,
): Promise<readonly ActResult[]> {
  const { items } = await questions.list({ issue: issueNumber });
  const own = items.filter((question) => originsOf(question).some((origin) => isAskedInside(turn, origin)));
  return own.map((question, index) => ({
    act: actName('asked', index),
    blocking: question.blocking && question.heard?.includes(turn) !== true,
    questionId: question.id,
  }));
}

function originsOf({ origin, attached = [] }: Question): readonly (string | undefined)[] {
  return [origin, ...attached.map((other) => other.origin)];
}
