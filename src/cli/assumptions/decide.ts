import { AgentXError } from '../../protocol/errors.js';
import { plainLine } from '../../render/plain-text.js';
import { howToAnswer, renderQuestion } from '../../render/question.js';
import { labelled } from '../../render/thread.js';
import { listViewOf, viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import type { TextOf } from '../text.js';

export async function confirm(line: CommandLine, typedId: string): Promise<undefined> {
  const { out } = line;
  const id = await line.app().findId('assumption', typedId);
  const assumption = await line.app().confirmAssumption({ id, by: human(line, 'confirm', id) });
  out.json(assumption);
  out.print(decided(line, `${id} is confirmed: `, assumption.decision).replace('confirmed', out.paint.good));
}

export async function reject(line: CommandLine, typedId: string, text: TextOf): Promise<undefined> {
  const { out } = line;
  const id = await line.app().findId('assumption', typedId);
  const by = human(line, 'reject', id);
  const message = await text(line);
  const { assumption, question } = await line.app().rejectAssumption({ id, by, reason: message });
  out.json({ ...assumption, question });
  const verdict = decided(line, `${id} is rejected: `, assumption.rejection ?? message);
  out.print(verdict.replace('rejected', out.paint.alarming));
  if (question.status !== 'open') return;
  out.print(renderQuestion(question, viewOf(line)));
  out.print(howToAnswer(question));
}

function decided(line: CommandLine, label: string, text: string): string {
  return labelled(label, plainLine(text), listViewOf(line).width);
}

/** An agent that we started is not the human who decides. */
function human({ agent, principal }: CommandLine, verb: string, id: string): string {
  if (agent === undefined) return principal;
  throw new AgentXError('UNAUTHORIZED', `Agent '${agent}' may not ${verb} ${id}: that is for a human.`, {
    assumptionId: id,
    agent,
  });
}
