import type { Brief } from '../protocol/brief.js';
import { type ClarificationRecord, noteWaiting } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { outcomeOf } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { Reply } from '../protocol/reply.js';
import { isAwaited, note, questionsOf } from './awaited.js';
import type { BasePorts, RoutePorts } from './ports.js';
import { chainIn } from './wait-graph.js';

interface AskedHumans {
  /** With the note of what was asked. */
  readonly record: ClarificationRecord;
  /** Empty if no human has to answer first. */
  readonly waitingOn: readonly string[];
  readonly refused: Brief['refused'];
}

/** Puts the questions of a target before humans, in the name of every agent that waits for its answer. */
export async function askHumans(
  ports: Pick<RoutePorts, 'store' | 'humans'>,
  record: ClarificationRecord,
  { reply, origin }: { readonly reply: Reply; readonly origin: string },
): Promise<AskedHumans> {
  const { issueNumber } = parseClarificationId(record.id);
  const { clarifications } = await ports.store.ledgers.read(issueNumber);
  const chain = [...chainIn(clarifications, record), record.to];
  const intake = await ports.humans?.ask({
    origin,
    issueNumber,
    agent: record.to,
    chain,
    clarificationId: record.id,
    reply,
  });
  const refused = intake?.refused === undefined ? [] : [{ code: intake.refused.code, message: intake.refused.message }];
  if (intake?.question === undefined) return { record, refused, waitingOn: [] };
  const { id } = intake.question;
  const notedRecord = await note(ports, record.id, (current) => noteWaiting(current, 'questions', [id]));
  return { record: notedRecord, refused, waitingOn: isAwaited(intake.question) ? [id] : [] };
}

/** What humans answered to the target of a record, for its brief only. */
export async function answersFor(
  ports: Pick<BasePorts, 'store'>,
  record: ClarificationRecord,
): Promise<Brief['answers']> {
  return (await questionsOf(ports, record)).flatMap((question) => {
    const { id, outcome, questions } = question;
    if (outcome === undefined) return [];
    return questions.map((part) => ({
      questionId: part.id,
      question: id,
      text: part.text,
      answer: decisionOf(question, part.id),
      outcome: outcomeOf(question, part.id) ?? outcome,
    }));
  });
}
