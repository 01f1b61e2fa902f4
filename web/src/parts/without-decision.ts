import { isHandedWork } from '../../../src/protocol/origin.js';
import type { Question } from '../../../src/protocol/question.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { fallbacksOf } from './fallback.js';

/** What follows when a human ends a question without deciding it. */
export function leftAlone(question: Question): string {
  const { kind, origin, askedBy, blocking } = question;
  const agent = plainLine(askedBy.agent);
  switch (kind) {
    case 'agent_failed':
      return 'the run stops here';
    case 'late_answer':
      return 'what was built stays as it is, and the assumption is neither confirmed nor rejected';
    case 'escalation':
      return `${agent} goes on with the other side's position, as an assumption`;
    case 'approval':
      if (isHandedWork(origin)) return 'the step counts as failed';
      return blocking ? `${agent} may not do it` : `${agent} goes on as announced`;
    default:
      return `${agent} goes on with ${assumed(question)}, as an assumption`;
  }
}

/** The fallback; else the agent's recommendation; else the agent decides. */
function assumed(question: Question): string {
  const fallbacks = fallbacksOf(question).map(({ choice }) => choice);
  const recommendedLabels = question.questions.flatMap(({ options = [] }) =>
    options.filter((option) => option.recommended === true).map(({ label }) => plainLine(label)),
  );
  const choices = fallbacks.length > 0 ? fallbacks : recommendedLabels;
  const quotedChoices = choices.filter((choice) => choice !== '').map((choice) => `"${choice}"`);
  return quotedChoices.length === 0 ? 'what it decides itself' : [...new Set(quotedChoices)].join(', ');
}
