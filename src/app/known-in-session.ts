import { idsIn } from '../memory/memory-injector.js';
import { readTranscriptFile } from './read-transcript.js';

/** The observations that a session which goes on was given before, by its transcript. None if that cannot be read. */
export async function knownInSession(file: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(idsIn(await readTranscriptFile(file)));
  } catch {
    return new Set();
  }
}
