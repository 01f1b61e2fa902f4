import type { HubPorts } from '../hub/ports.js';
import { type NewQuestion, openQuestion, type Question } from '../protocol/question.js';

/** Asks once however often it is called: the id is derived from what caused the question. */
export async function createQuestion(ports: HubPorts, asked: NewQuestion): Promise<Question> {
  const known = await ports.store.questions.read(asked.id);
  if (known !== undefined) return known;
  const { question, effects } = openQuestion(asked);
  const stored = await ports.store.questions.create(question);
  for (const effect of effects) if (effect.type === 'emit') ports.bus.emit(effect.name, effect.payload);
  const { id, issueNumber, kind, source, sourceId, expiresAt } = stored;
  ports.log.info('question opened', { questionId: id, issueNumber, kind, source, sourceId, expiresAt });
  return stored;
}
