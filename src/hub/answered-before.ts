import type { AnsweredBefore } from '../protocol/answered-before.js';
import { messageOf } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import { decidedLike, decisionsNear, type EarlierDecision, stillHolds } from './decided-before.js';
import type { BasePorts, BriefPorts, DecisionPorts } from './ports.js';

/** A person judges what is nearly the same; an agent would take it for the answer. */
const WORTH_SHOWING = 0.5;
const SHOWN = 3;

/**
 * What was decided when the same was asked before, for the person who is asked now; the best for each part first. Nothing
 * that goes wrong in here keeps a question from being shown.
 */
export async function answeredBefore(
  ports: DecisionPorts & Pick<BriefPorts, 'artifacts'>,
  question: Question,
): Promise<readonly AnsweredBefore[]> {
  if (ports.remembers !== true) return [];
  try {
    const parts = await Promise.all(askedIn(ports, question));
    const all = await Promise.all(
      parts.map(async ({ partId, topic, text }) => {
        const askedQuestion = { issueNumber: question.issueNumber, topic, question: text };
        const decisions = (await decidedLike(ports, askedQuestion, await decisionsNear(ports, askedQuestion))).filter(
          ({ id, isRejected }) => !isRejected && id !== question.id && id !== question.sourceId,
        );
        const closeDecisions = decisions.filter(({ likeness }) => likeness >= WORTH_SHOWING);
        const holdingDecisions = await Promise.all(
          closeDecisions.map(async (one) =>
            (await stillHolds(ports, question.issueNumber, one.decided)) ? [one] : [],
          ),
        );
        return holdingDecisions
          .flat()
          .slice(0, SHOWN)
          .map((one) => shown(partId, one));
      }),
    );
    return all.flat();
  } catch (error) {
    ports.log.warn(`Memory was not asked: ${messageOf(error)}`, { questionId: question.id });
    return [];
  }
}

/** Of an escalation, what the agent asked; otherwise each part. Approvals and choices about work are no such questions. */
function askedIn({ store }: Pick<BasePorts, 'store'>, question: Question) {
  const { kind, issueNumber, questions, sourceId } = question;
  if (kind === 'open_question' || kind === 'pm_clarification')
    return questions.map(async ({ id, text, header = '' }) => ({ partId: id, topic: header, text }));
  if (kind !== 'escalation') return [];
  const [first] = questions;
  return first === undefined
    ? []
    : [
        store.ledgers.read(issueNumber).then(({ clarifications }) => {
          const record = clarifications.find(({ id }) => id === sourceId);
          const text = record?.thread.find(({ type }) => type === 'question')?.body ?? first.text;
          return { partId: first.id, topic: record?.topic ?? '', text };
        }),
      ];
}

function shown(questionId: string, { id, observationId, issueNumber, decided }: EarlierDecision): AnsweredBefore {
  const { question, answer, by, at } = decided;
  return { questionId, source: id, observationId, issueNumber, question, answer, by, at };
}
