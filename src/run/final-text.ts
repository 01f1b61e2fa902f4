import type { Store } from '../ports/store.js';
import type { Question } from '../protocol/question.js';
import { outlookWithoutAnswer } from '../protocol/question-outlook.js';

/**
 * The last text of a run that is left to humans: for each question its subject, both positions if agents could not
 * agree, the options, what is decided without an answer and when, and its id.
 */
export async function finalText(
  { questions }: Pick<Store, 'questions'>,
  waitingOn: readonly string[],
): Promise<string | undefined> {
  const storedQuestions = await Promise.all(waitingOn.map((id) => questions.read(id)));
  const openQuestions = storedQuestions
    .filter((question) => question !== undefined)
    .filter(({ status }) => status === 'open');
  return openQuestions.length === 0 ? undefined : openQuestions.map(textOf).join('\n\n');
}

function textOf(question: Question): string {
  const { id, kind, askedBy, questions } = question;
  const outlook = outlookWithoutAnswer(question);
  const head = kind === 'escalation' ? `Escalated to a human (${id}).` : `The ${askedBy.agent} asks a human (${id}).`;
  const parts = questions.flatMap(({ text, options = [] }) => [
    text,
    ...(options.length === 0
      ? []
      : [`Options: ${options.map((option) => `${option.id}) ${option.label}`).join('  ')}`]),
  ]);
  const end = outlook === undefined ? [] : [`Without an answer by ${outlook.at}: ${outlook.decides.join('; ')}`];
  return [head, ...parts, ...end].join('\n');
}
