import { AgentXError } from '../../protocol/errors.js';
import { plainLine } from '../../render/plain-text.js';
import { howToAnswer, renderQuestion } from '../../render/question.js';
import { viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import type { TextOf } from '../text.js';

export async function confirm(line: CommandLine, typed: string): Promise<undefined> {
  const { out } = line;
  const id = await line.app().findId('assumption', typed);
  const assumption = await line.app().confirmAssumption({ id, by: human(line, 'confirm', id) });
  out.json(assumption);
  out.print(`${id} is ${out.paint.good('confirmed')}: ${plainLine(assumption.decision)}`);
}

export async function reject(line: CommandLine, typed: string, text: TextOf): Promise<undefined> {
  const { out } = line;
  const id = await line.app().findId('assumption', typed);
  const by = human(line, 'reject', id);
  const message = await text(line);
  const { assumption, question } = await line.app().rejectAssumption({ id, by, reason: message });
  out.json({ ...assumption, question });
  out.print(`${id} is ${out.paint.alarming('rejected')}: ${plainLine(assumption.rejection ?? message)}`);
  if (question.status !== 'open') return;
  out.print(renderQuestion(question, viewOf(line)));
  out.print(howToAnswer(question));
}

/** An agent that we started is not the human who decides. */
function human({ agent, principal }: CommandLine, verb: string, id: string): string {
  if (agent === undefined) return principal;
  throw new AgentXError('UNAUTHORIZED', `Agent '${agent}' may not ${verb} ${id}: that is for a human.`, {
    assumptionId: id,
    agent,
  });
}
