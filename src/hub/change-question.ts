import { AgentXError } from '../protocol/errors.js';
import { parseQuestionId } from '../protocol/ids.js';
import type { Question } from '../protocol/question.js';
import {
  type NewQuestion,
  openQuestion,
  type QuestionEvent,
  type QuestionResult,
  transition,
} from '../protocol/question-transition.js';
import type { BasePorts } from './ports.js';
import { send } from './send.js';

type Ports = Pick<BasePorts, 'store' | 'bus' | 'log'>;

export async function requireQuestion({ store }: Pick<BasePorts, 'store'>, id: string): Promise<Question> {
  const question = await store.questions.read(parseQuestionId(id));
  if (question !== undefined) return question;
  throw new AgentXError('NOT_FOUND', `There is no question ${id}.`, { questionId: id });
}

/** Asks once however often it is called: the id of a question is derived from its cause. */
export async function createQuestion(ports: Ports, newQuestion: NewQuestion): Promise<Question> {
  const earlierQuestion = await ports.store.questions.read(newQuestion.id);
  if (earlierQuestion !== undefined) return earlierQuestion;
  const { question, effects } = openQuestion(newQuestion);
  const storedQuestion = await ports.store.questions.create(question);
  // Another caller was quicker, and tells of it.
  if (storedQuestion !== question) return storedQuestion;
  send(ports, effects);
  const { id, issueNumber, kind, source, sourceId, expiresAt } = storedQuestion;
  ports.log.info('question opened', { questionId: id, issueNumber, kind, source, sourceId, expiresAt });
  return storedQuestion;
}

/**
 * One event on one question: a single update, then the events of the transition. `decide` sees the question at that
 * moment and may decide that nothing is to happen.
 */
export async function changeQuestion(
  ports: Ports,
  id: string,
  decide: (question: Question) => Readonly<QuestionEvent> | undefined,
): Promise<Question> {
  const { question, effects, isChanged } = await ports.store.questions.update<QuestionResult & { isChanged: boolean }>(
    parseQuestionId(id),
    (current) => {
      const event = decide(current);
      if (event === undefined) return { next: current, result: { question: current, effects: [], isChanged: false } };
      const result = transition(current, event);
      return { next: result.question, result: { ...result, isChanged: true } };
    },
  );
  send(ports, effects);
  if (isChanged) ports.log.info('question changed', fieldsOf(question));
  if (effects.some(({ type }) => type === 'late-answer')) {
    ports.log.info('an answer came after the fallback', { questionId: id });
  }
  return question;
}

function fieldsOf({ id, issueNumber, kind, sourceId, status, outcome, revision, answeredBy }: Question) {
  return { questionId: id, issueNumber, kind, sourceId, status, outcome, revision, answeredBy };
}
