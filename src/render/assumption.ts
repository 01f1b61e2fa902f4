import type { Assumption } from '../protocol/assumption.js';
import { columnsOf } from './columns.js';
import { plainLine, plainText } from './plain-text.js';
import { labelled, type View } from './thread.js';
import { whenText } from './time.js';

/** Each assumption with its source and what follows if it is wrong, then how to decide one. */
export function renderAssumptions(assumptions: readonly Assumption[], view: View): string {
  const standing = assumptions.find((assumption) => statusOf(assumption) === 'standing');
  return [
    ...assumptions.map((assumption) => renderAssumption(assumption, view)),
    ...(standing?.id === undefined ? [] : [howToDecide(standing.id)]),
  ].join('\n');
}

function renderAssumption(assumption: Assumption, view: View): string {
  const { width } = view;
  const { id = '(no id)', agent, issueNumber, createdAt, decision, reasoning, confidence, risk_if_wrong } = assumption;
  const facts = [
    ...(issueNumber === undefined ? [] : [`#${issueNumber}`]),
    statusText(assumption, view),
    `confidence ${confidence}`,
    ...(agent === undefined ? [] : [agent]),
    ...(createdAt === undefined ? [] : [whenText(createdAt, view)]),
  ].join(', ');
  return [
    ...headOf(id, `(${facts})`, view),
    labelled('  ', plainLine(decision), width),
    labelled('  From:     ', plainLine(assumption.user_response), width),
    labelled('  Why:      ', plainLine(reasoning), width),
    labelled('  If wrong: ', plainLine(risk_if_wrong), width),
    ...(assumption.rejection === undefined ? [] : [labelled('  Instead:  ', plainLine(assumption.rejection), width)]),
    ...(assumption.artifacts?.length
      ? [labelled('  Built on: ', plainLine(assumption.artifacts.join(', ')), width)]
      : []),
  ].join('\n');
}

/** One line if it fits; otherwise the facts stand below the id. */
function headOf(id: string, facts: string, { paint, width }: View): readonly string[] {
  if (columnsOf(plainText(`${id} ${facts}`)) <= width) return [`${paint.name(id)} ${paint.quiet(facts)}`];
  return [paint.name(id), paint.quiet(labelled('  ', plainLine(facts), width))];
}

function howToDecide(id: string): string {
  return `If it is right: agentx assumptions confirm ${id}\nIf it is not:   agentx assumptions reject ${id}`;
}

function statusText(assumption: Assumption, { paint }: View): string {
  const { decidedBy } = assumption;
  const status = statusOf(assumption);
  const text = decidedBy === undefined ? status : `${status} by ${plainLine(decidedBy)}`;
  if (status === 'standing') return paint.waiting(text);
  return status === 'confirmed' ? paint.good(text) : paint.alarming(text);
}

const statusOf = ({ status = 'standing' }: Assumption) => status;
