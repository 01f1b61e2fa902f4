import { isHandedWork } from '../../../src/protocol/origin.js';
import type { Question } from '../../../src/protocol/question.js';
import { unansweredParts } from '../../../src/protocol/question-answerers.js';
import { choiceFor } from '../../../src/protocol/question-fallback.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { current } from '../state.js';

/** What follows when a human ends a question without deciding it. */
export function leftAlone(question: Question): string {
  const { kind, origin, askedBy, blocking } = question;
  const agent = plainLine(askedBy.agent);
  switch (kind) {
    case 'agent_failed':
      return 'the run stops here';
    case 'late_answer':
      return 'what was built stays as it is, and so does the assumption';
    case 'escalation':
      return `${agent} goes on with ${assumedOfDispute(question)}`;
    case 'approval':
      if (isHandedWork(origin)) return 'the step counts as failed';
      return blocking ? `${agent} may not do it` : `${agent} goes on as announced`;
    default:
      return `${agent} goes on with ${assumed(question)}, as an assumption`;
  }
}

/** What the assumptions for the parts without an answer will say. */
function assumed(question: Question): string {
  const choices = unansweredParts(question).map((part) => plainLine(choiceFor(question, part) ?? ''));
  const quotedChoices = choices.filter((choice) => choice !== '').map((choice) => `"${choice}"`);
  const named = [...new Set(quotedChoices)].join(', ');
  return [named, ...(choices.includes('') ? [ITS_OWN] : [])].filter((text) => text !== '').join(' and ');
}

/** The position of an agent that has not answered cannot be assumed. */
function assumedOfDispute({ sourceId }: Question): string {
  const record = current().clarifications.find(({ id }) => id === sourceId);
  if (record === undefined) return 'an assumption';
  const { positions } = record.thread.findLast(({ type }) => type === 'escalation') ?? {};
  return `${positions?.target === undefined ? ITS_OWN : "the other side's position"}, as an assumption`;
}

const ITS_OWN = 'what it decides itself';
