import { renderWaitGraph, type Wait, waitsOf } from '../../render/wait-graph.js';
import { checkIfPossible } from '../check.js';
import type { CommandLine } from '../command-line.js';

/** Which agent waits for which. A cycle that the check has just broken is still mentioned. */
export async function graph(line: CommandLine, options: { readonly retry: boolean }): Promise<undefined> {
  const { out } = line;
  const look = async () => waitsOf((await line.app().clarifications('active')).items);
  const waitsBefore = await look();
  // The check reports ledgers that cannot be read.
  await checkIfPossible(line, options);
  const waits = await look();
  out.json({ waits });
  for (const wait of brokenCycles(waitsBefore, waits)) {
    out.note(`A cycle was broken: ${wait.clarificationId} of ${wait.from} to ${wait.to} is escalated.`);
  }
  if (waits.length === 0) {
    out.sayNone('No agent waits for another.');
    return;
  }
  out.print(renderWaitGraph(waits, out.isTerminal ? out : { paint: out.paint }));
  const inCycle = waits.filter(({ isInCycle }) => isInCycle).length;
  const count = waits.length === 1 ? '1 wait' : `${waits.length} waits`;
  out.print(inCycle > 0 ? `${count}, ${inCycle} of them in a cycle` : `${count}, no cycle`);
}

function brokenCycles(waitsBefore: readonly Wait[], now: readonly Wait[]): readonly Wait[] {
  const escalatedIds = new Set(now.filter(({ status }) => status === 'escalated').map((wait) => wait.clarificationId));
  return waitsBefore.filter(({ isInCycle, clarificationId }) => isInCycle && escalatedIds.has(clarificationId));
}
