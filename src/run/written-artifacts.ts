import type { Run } from '../protocol/run.js';

/** A file that an agent wrote, by its path from the repository. */
export interface WrittenArtifact {
  readonly path: string;
  readonly agent: string;
  readonly step: string;
  /** Whom the agents of later steps may ask about it: the author is one of theirs. */
  readonly askers: readonly string[];
}

/** What the agents of a run wrote, in order; the last author of a file counts. Pure. */
export function writtenArtifacts({ journal, past = [], definition }: Run): readonly WrittenArtifact[] {
  const steps = new Map(definition?.steps.map((step) => [step.id, step]));
  const authors = new Map<string, string>();
  for (const entry of [...past, ...journal]) {
    if (entry.type !== 'turn-ended') continue;
    for (const { path } of entry.acts) {
      if (path === undefined) continue;
      authors.delete(path);
      authors.set(path, entry.step);
    }
  }
  return [...authors].flatMap(([path, id]) => {
    const step = steps.get(id);
    if (step === undefined) return [];
    const { agent } = step;
    const askingSteps = [...steps.values()].filter(({ can_clarify = [] }) => can_clarify.includes(agent));
    return [{ path, agent, step: id, askers: [...new Set(askingSteps.map((one) => one.agent))] }];
  });
}
