import type { Brief } from '../protocol/brief.js';
import { type ClarificationRecord, noteWaiting } from '../protocol/clarification.js';
import { parseClarificationId } from '../protocol/ids.js';
import { outcomeOf } from '../protocol/question-answerers.js';
import { decisionOf } from '../protocol/question-decision.js';
import type { Reply } from '../protocol/reply.js';
import { isAwaited, note, questionsOf } from './awaited.js';
import { chainOf } from './chain.js';
import type { HubPorts, RoutePorts } from './ports.js';

interface AskedHumans {
  /** With the note of what was asked. */
  readonly record: ClarificationRecord;
  /** Empty if no human has to answer first. */
  readonly waitingOn: readonly string[];
  readonly refused: Brief['refused'];
}

/** Puts the questions of a target before humans, in the name of every agent that waits for its answer. */
export async function askHumans(
  ports: RoutePorts,
  record: ClarificationRecord,
  { reply, origin }: { readonly reply: Reply; readonly origin: string },
): Promise<AskedHumans> {
  const { issueNumber } = parseClarificationId(record.id);
  const chain = [...(await chainOf(ports, record)), record.to];
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
  const noted = await note(ports, record.id, (current) => noteWaiting(current, 'questions', [id]));
  return { record: noted, refused, waitingOn: isAwaited(intake.question) ? [id] : [] };
}

/** What humans answered to the target of a record, for its brief only. */
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
