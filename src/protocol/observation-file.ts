import { AgentXError } from './errors.js';
import { isCertain, type Observation, type ObservationFile } from './observation.js';

/**
 * The file with the observations of the batch that it does not have yet. CONFLICT if one of them says something else.
 */
export function withObservations(file: ObservationFile, batch: readonly Observation[]): ObservationFile {
  const observationsById = new Map(file.observations.map((one) => [one.id, one]));
  const newObservations: Observation[] = [];
  for (const one of batch) {
    const sameId = observationsById.get(one.id);
    if (sameId !== undefined && sameId.content !== one.content) {
      throw new AgentXError('CONFLICT', `Another observation has the id ${one.id}.`, { id: one.id });
    }
    if (sameId === undefined) newObservations.push(one);
    observationsById.set(one.id, one);
  }
  return newObservations.length === 0 ? file : { ...file, observations: [...file.observations, ...newObservations] };
}

/** The file without one of them, or the same file. It notes the id of what the protocol knows for certain. */
export function withoutObservation(file: ObservationFile, id: string): ObservationFile {
  const removedObservation = file.observations.find((one) => one.id === id);
  if (removedObservation === undefined) return file;
  const observations = file.observations.filter((one) => one.id !== id);
  const { removed = [] } = file;
  return { ...file, observations, ...(isCertain(removedObservation) && { removed: [...removed, id] }) };
}

export function byIssue(observations: readonly Observation[]): ReadonlyMap<number, readonly Observation[]> {
  const groups = new Map<number, Observation[]>();
  for (const one of observations) {
    const group = groups.get(one.issueNumber) ?? [];
    group.push(one);
    groups.set(one.issueNumber, group);
  }
  return groups;
}
