import { plainLine } from '../../../src/render/plain-text.js';

interface Artifact {
  readonly path: string;
  readonly agent: string;
  readonly file: string;
}

const INDENT = '    ';

/** A line in the list of artifacts below a thread. */
export function artifactLine({ path, agent }: Omit<Artifact, 'file'>): string {
  return `${INDENT}${plainLine(path)} (${plainLine(agent)})`;
}

/** Where that list names each artifact. */
export function artifactPlaces(text: string, artifacts: readonly Artifact[]) {
  return artifacts.flatMap((artifact) => {
    const start = text.lastIndexOf(artifactLine(artifact));
    const from = start + INDENT.length;
    return start < 0 ? [] : [{ from, to: from + plainLine(artifact.path).length, file: artifact.file }];
  });
}
