import type { Question } from '../../src/protocol/question.js';
import { isOurs } from './is-ours.js';
import { newName } from './names.js';
import { change, current, type Problem, type QuestionDecision } from './state.js';

/** A problem is shown until it is read, whatever is done meanwhile; the same problem only once. */
export function addProblem(text: string, questionId?: string, unsent?: QuestionDecision): void {
  const problem: Problem = {
    key: newName(),
    text,
    ...(questionId !== undefined && { questionId }),
    ...(unsent && { unsent }),
  };
  const others = current().problems.filter((other) => other.text !== text || other.questionId !== questionId);
  change({ problems: [...others, problem] });
}

/** What was called unsent is stored. */
export function dropArrived(question: Question): void {
  const isArrived = ({ unsent }: Problem) =>
    unsent !== undefined && unsent.question.id === question.id && isOurs(unsent, question);
  change({ problems: current().problems.filter((problem) => !isArrived(problem)) });
}

export function closeProblem(key: string): void {
  change({ problems: current().problems.filter((problem) => problem.key !== key) });
}
