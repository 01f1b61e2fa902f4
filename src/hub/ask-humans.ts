import type { Brief } from '../protocol/brief.js';
import { type ClarificationRecord, noteWaiting } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { outcomeOf } from '../protocol/question-answerers.js';
import type { Reply } from '../protocol/reply.js';
import { isAwaited, note, questionsOf } from './awaited.js';
import { chainOf } from './chain.js';
import { decisionOf } from './comment-answer.js';
import type { HubPorts, RoutePorts } from './ports.js';

interface AskedHumans {
  /** As it stands with the note of what was asked. */
  readonly record: ClarificationRecord;
  /** Empty where no human has to answer first. */
  readonly waitingOn: readonly string[];
  readonly refused: Brief['refused'];
}

/** Puts the questions of a target before humans, in the name of everybody who waits for its answer. */
export async function askHumans(
  ports: RoutePorts,
  record: ClarificationRecord,
  { reply, origin }: { readonly reply: Reply; readonly origin: string },
): Promise<AskedHumans> {
  const { issueNumber } = parseClarificationId(record.id);
  const chain = [...(await chainOf(ports, record)), record.to];
  const asked = await ports.humans?.ask({
    origin,
    issueNumber,
    agent: record.to,
    chain,
    clarificationId: record.id,
    reply,
  });
  const refused = asked?.refused === undefined ? [] : [{ code: asked.refused.code, message: asked.refused.message }];
  if (asked?.question === undefined) return { record, refused, waitingOn: [] };
  const { id } = asked.question;
  const noted = await note(ports, record.id, (current) => noteWaiting(current, 'questions', [id]));
  return { record: noted, refused, waitingOn: isAwaited(asked.question) ? [id] : [] };
}

/** What humans said to the target of a record, for its brief and nobody else's. */
export async function answersFor(
  ports: Pick<HubPorts, 'store'>,
  record: ClarificationRecord,
): Promise<Brief['answers']> {
  return (await questionsOf(ports, record)).flatMap((question) => {
    const { id, outcome: ended, questions } = question;
    if (ended === undefined) return [];
    return questions.map((part) => ({
      questionId: part.id,
      question: id,
      text: part.text,
      answer: decisionOf(question, part.id),
      outcome: outcomeOf(question, part.id) ?? ended,
    }));
  });
}
