import { newName } from './names.js';
import { change, current, type Problem } from './state.js';

/** A problem is shown until it is read, whatever is done meanwhile; the same problem only once. */
export function addProblem(text: string, questionId?: string): void {
  const problem: Problem = { key: newName(), text, ...(questionId === undefined ? {} : { questionId }) };
  const others = current().problems.filter((other) => other.text !== text || other.questionId !== questionId);
  change({ problems: [...others, problem] });
}

export function closeProblem(key: string): void {
  change({ problems: current().problems.filter((problem) => problem.key !== key) });
}
