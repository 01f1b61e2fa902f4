import type { IObservationStore } from '../ports/observations.js';
import { AgentXError } from '../protocol/errors.js';
import { type Observation, type ObservationIndex, toIndex } from '../protocol/observation.js';

export interface Timeline {
  readonly before: readonly ObservationIndex[];
  readonly observation: Observation;
  readonly after: readonly ObservationIndex[];
}

/** What happened on the same issue before and after one observation, in the order of time. NOT_FOUND if it is not there. */
export async function timeline(
  memory: Pick<IObservationStore, 'getById' | 'getByIssue'>,
  id: string,
  count = 5,
): Promise<Timeline> {
  const observation = await memory.getById(id);
  if (observation === null) throw new AgentXError('NOT_FOUND', `There is no observation ${id}.`, { id });
  const others = (await memory.getByIssue(observation.issueNumber)).filter((one) => one.id !== id);
  const sorted = [...others, observation].sort(
    (left, right) => Date.parse(left.timestamp) - Date.parse(right.timestamp) || (left.id < right.id ? -1 : 1),
  );
  const place = sorted.findIndex((one) => one.id === id);
  return {
    before: sorted.slice(Math.max(0, place - count), place).map(toIndex),
    observation,
    after: sorted.slice(place + 1, place + 1 + count).map(toIndex),
  };
}
