import { renderObservation, renderObservations } from '../../render/memory.js';
import { viewOf } from '../clarify/view.js';
import type { CommandLine } from '../command-line.js';
import { limitOf } from './limit.js';

export async function show(line: CommandLine, typedId: string): Promise<undefined> {
  const { out } = line;
  const observation = await (await line.app().memory()).show(await line.app().findId('observation', typedId));
  out.json(observation);
  out.print(renderObservation(observation, viewOf(line)));
  const { source } = observation;
  if (source?.kind === 'clarification') out.note(`See it: agentx clarify show ${source.id}`);
  if (source?.kind === 'question') out.note(`See it: agentx inbox show ${source.id}`);
}

export async function timeline(
  line: CommandLine,
  typedId: string,
  { limit }: { readonly limit: string },
): Promise<undefined> {
  const { out } = line;
  const count = limitOf(limit, { from: 0 });
  const id = await line.app().findId('observation', typedId);
  const result = await (await line.app().memory()).timeline(id, count);
  const { before, observation, after } = result;
  out.json(result);
  const view = viewOf(line);
  if (before.length > 0) out.print(`${renderObservations(before, view)}\n`);
  out.print(renderObservation(observation, view));
  if (after.length > 0) out.print(`\n${renderObservations(after, view)}`);
}
