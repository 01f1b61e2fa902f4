import type { BasePorts, RecordPorts, ResolvePorts } from '../hub/ports.js';
import { writeDown } from '../hub/write-down.js';
import { type Assumption, transition } from '../protocol/assumption.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAssumptionId } from '../protocol/ids.js';
import { MAX_ANSWER_CHARACTERS } from '../protocol/limits.js';
import { rejectedOrigin } from '../protocol/origin.js';
import { requireText } from '../protocol/parse.js';
import type { AnsweredBy, Question } from '../protocol/question.js';
import { answerQuestion } from './answer-question.js';
import { changeAssumption, requireAssumption } from './assumptions.js';
import { type Contradiction, KEEP, openChoice } from './late-answer.js';
import type { SettlePorts } from './ports.js';
import { choicesOn, leaveOneChoice } from './settle.js';

export interface ConfirmAssumptionRequest {
  readonly id: string;
  /** The person at the keyboard. */
  readonly by: string;
  /** Where, and by what right: for a question that the verdict answers as well. */
  readonly through?: Pick<AnsweredBy, 'channel' | 'authority'>;
}

export interface RejectAssumptionRequest extends ConfirmAssumptionRequest {
  readonly reason: string;
}

/**
 * Confirming twice is no error; a rejected one stays rejected. If a late answer contradicts the assumption, the choice
 * between keep and rework may still be open. Confirming then means keep: the choice is answered first, because that
 * confirms the assumption as well.
 */
export async function confirmAssumption(ports: SettlePorts, request: ConfirmAssumptionRequest): Promise<Assumption> {
  const { id, by, through = { channel: 'cli' } } = request;
  const at = ports.clock.now();
  const confirm = (assumption: Assumption) =>
    assumption.status === 'confirmed' ? assumption : transition(assumption, { type: 'confirm', at, by });
  confirm(await requireAssumption(ports, id));
  for (const choice of await choicesOn(ports, id)) {
    if (choice.status !== 'open') continue;
    const responses = choice.questions.map((part) => ({ questionId: part.id, optionIds: [KEEP] }));
    await answerQuestion(ports, { id: choice.id, by: { ...through, principal: by }, responses });
  }
  return changeAssumption(ports, id, confirm);
}

/**
 * The choice is opened first: it settles the assumption as well, so that a crash in between leaves nothing undecided.
 * It replaces one that a late answer had opened. An assumption that is rejected already keeps its choice; a CONFLICT
 * tells a person who gives another reason, because the first one counts.
 */
export async function rejectAssumption(
  ports: RecordPorts & Pick<ResolvePorts, 'writeAnswers'>,
  { id, by, reason }: RejectAssumptionRequest,
): Promise<{ readonly assumption: Assumption; readonly question: Question }> {
  const assumption = await requireAssumption(ports, id);
  const at = ports.clock.now();
  const answer = requireText(reason, 'reason', MAX_ANSWER_CHARACTERS);
  const before = (await choicesOn(ports, id)).at(-1);
  const reject = (current: Assumption) => {
    if (current.status !== 'rejected') return transition(current, { type: 'reject', at, by, reason });
    if (current.rejection !== answer) throw rejectedBefore(current, before);
    return current;
  };
  reject(assumption);
  const question =
    assumption.status === 'rejected' && before !== undefined
      ? before
      : await openChoice(ports, {
          origin: rejectedOrigin(id),
          answer,
          at,
          assumption,
          ...(await aboutOf(ports, assumption, before)),
        });
  const { answer: firstReason = answer } = question.rework ?? {};
  // Another person rejects it at the same moment.
  if (assumption.status !== 'rejected' && firstReason !== answer) {
    throw rejectedBefore({ ...assumption, rejection: firstReason }, question);
  }
  await leaveOneChoice(ports, id);
  const rejectedAssumption = await changeAssumption(ports, id, reject);
  await writeDown(ports, parseAssumptionId(id).issueNumber);
  return { assumption: rejectedAssumption, question };
}

/** The question, and the part that was answered late: a human who keeps the assumption sets that answer aside. */
async function aboutOf(
  { store }: Pick<BasePorts, 'store'>,
  { questionId }: Assumption,
  before: Question | undefined,
): Promise<Pick<Contradiction, 'asker' | 'part'>> {
  const asker = questionId === undefined ? undefined : await store.questions.read(questionId);
  const part = before?.rework?.part;
  return { ...(asker && { asker }), ...(part !== undefined && { part }) };
}

function rejectedBefore(
  { id, issueNumber, decidedBy = 'somebody', rejection = '' }: Assumption,
  choice: Question | undefined,
): AgentXError {
  const where =
    choice?.status === 'open' ? `with your answer to ${choice.id}` : `as a comment on issue #${issueNumber}`;
  return new AgentXError(
    'CONFLICT',
    `Assumption ${id} was rejected before, by ${decidedBy}: ${rejection.replace(/\.$/, '')}. Say what you would add ${where}.`,
    { assumptionId: id, decidedBy, rejection },
  );
}
