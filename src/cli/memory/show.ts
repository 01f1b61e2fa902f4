import { AgentXError } from '../../protocol/errors.js';
import { renderObservation, renderObservations } from '../../render/memory.js';
import { viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';

export async function show(line: CommandLine, typed: string): Promise<undefined> {
  const { out } = line;
  const observation = await (await line.app().memory()).show(await line.app().findId('observation', typed));
  out.json(observation);
  out.print(renderObservation(observation, viewOf(line)));
  const { source } = observation;
  if (source?.kind === 'clarification') out.note(`See it: agentx clarify show ${source.id}`);
  if (source?.kind === 'question') out.note(`See it: agentx inbox show ${source.id}`);
}

export async function timeline(
  line: CommandLine,
  typed: string,
  { limit }: { readonly limit: string },
): Promise<undefined> {
  const { out } = line;
  const id = await line.app().findId('observation', typed);
  const around = await (await line.app().memory()).timeline(id, numberOf(limit));
  const { before, observation, after } = around;
  out.json(around);
  const view = viewOf(line);
  if (before.length > 0) out.print(`${renderObservations(before, view)}\n`);
  out.print(renderObservation(observation, view));
  if (after.length > 0) out.print(`\n${renderObservations(after, view)}`);
}

function numberOf(limit: string): number {
  const number = Number(limit);
  if (Number.isInteger(number) && number >= 0 && number <= 1000) return number;
  throw new AgentXError('INVALID_INPUT', `'${limit}' is not a valid number. Allowed: whole numbers from 0 to 1000.`, {
    limit,
  });
}
