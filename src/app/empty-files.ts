import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type ClientFileChange, readClientFile } from './client-files.js';

/*
 * Settings that were there before we wrote into them, and held nothing. Without a note of them, they could not be told
 * from files that we made, which go when what we wrote is taken out again.
 */

export interface EmptyFiles {
  /** What such a file held. */
  readonly was: (path: string) => string | undefined;
  /** What to write together with these changes, so that the notes are right afterwards; undefined if they are. */
  readonly after: (changes: readonly ClientFileChange[]) => ClientFileChange | undefined;
}

export function emptyFiles(env: Readonly<Record<string, string | undefined>>): EmptyFiles {
  const stateHome = env.XDG_STATE_HOME;
  const folder = stateHome && isAbsolute(stateHome) ? stateHome : join(env.HOME || homedir(), '.local', 'state');
  const path = join(folder, 'agentx', 'empty-files.json');
  const textBefore = readClientFile({ path });
  const notes = notesIn(textBefore);
  return {
    was: (file) => notes.get(file),
    after: (changes) => {
      const next = new Map(notes);
      for (const change of changes) {
        // A note is for as long as something of ours stands in the file.
        if (change.before === undefined || !change.after?.includes('agentx')) next.delete(change.path);
        else if (isEmpty(change.before)) next.set(change.path, change.before);
      }
      const textAfter = next.size === 0 ? undefined : `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`;
      return textAfter === textBefore ? undefined : { path, before: textBefore, after: textAfter, isPrivate: true };
    },
  };
}

/** Notes that cannot be read note nothing: files that were empty are then removed. */
function notesIn(text = '{}'): ReadonlyMap<string, string> {
  try {
    const entries: readonly [string, unknown][] = Object.entries(JSON.parse(text));
    return new Map(
      entries.flatMap(([path, content]) => (typeof content === 'string' && isEmpty(content) ? [[path, content]] : [])),
    );
  } catch {
    return new Map();
  }
}

/** No values: nothing, or objects and lists with nothing in them. */
function isEmpty(text: string): boolean {
  return /^\uFEFF?[\s{}[\],]*$/.test(text.replace(/"(?:[^"\\]|\\.)*"\s*:/g, ''));
}
