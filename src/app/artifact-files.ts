import { dirname, join } from 'node:path';
import type { Store } from '../ports/store.js';
import type { Run } from '../protocol/run.js';
import { type WrittenArtifact, writtenArtifacts } from '../run/written-artifacts.js';
import { isThere, realFileSystem } from '../storage/files/file-system.js';
import { layoutOf } from '../storage/files/layout.js';
import { openPlaces } from './work-trees.js';

export interface ArtifactFile extends WrittenArtifact {
  /** From the root of the disk: in the repository, or in the work tree of the run. */
  readonly file: string;
}

/** What the agents of a run wrote and is still there. */
export async function artifactFiles(root: string, run: Run, runs: Store['runs']): Promise<readonly ArtifactFile[]> {
  const placeOf = openPlaces({ repository: dirname(root), state: layoutOf(root).state }, runs);
  const place = await placeOf(run.issueNumber);
  return writtenArtifacts(run)
    .map((artifact) => ({ ...artifact, file: join(place, artifact.path) }))
    .filter(({ file }) => isThere(realFileSystem, file));
}
