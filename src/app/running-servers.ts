import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { makeInside, realFileSystem } from '../storage/files/file-system.js';
import { isRunning, thisProcess } from '../storage/files/process-identity.js';

/*
 * Which servers show this folder now: each leaves a note while it listens, `state/servers/{pid}-{port}.json`, so that
 * commands can print links that work. A note of a dead process is ignored, and the next server removes it.
 */

const Note = z.object({ host: z.string(), pid: z.int(), start: z.number(), url: z.string() });

const folderOf = (stateFolder: string): string => join(stateFolder, 'servers');

/** Returns the function that removes the note. A note is a convenience: failing to write it is no error. */
export function noteServer(stateFolder: string, url: string): () => void {
  const folder = folderOf(stateFolder);
  const path = join(folder, `${process.pid}-${new URL(url).port || '80'}.json`);
  try {
    makeInside(realFileSystem, dirname(stateFolder), folder);
    for (const { name, note } of notesIn(folder)) {
      if (note !== undefined && isOurs(note) && !isRunning(note)) rmSync(join(folder, name), { force: true });
    }
    writeFileSync(path, `${JSON.stringify({ ...thisProcess(), url })}\n`, { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => {
    try {
      rmSync(path, { force: true });
    } catch {
      // The process ends, and with it the meaning of the note.
    }
  };
}

/** The address of a server that listens now, on this machine; of several, the one that was started last. */
export function runningServer(stateFolder: string): string | undefined {
  const runningServers = notesIn(folderOf(stateFolder)).flatMap(({ note }) =>
    note !== undefined && isOurs(note) && isRunning(note) ? [note] : [],
  );
  return runningServers.toSorted((left, right) => right.start - left.start)[0]?.url;
}

const isOurs = ({ host }: { readonly host: string }): boolean => host === thisProcess().host;

function notesIn(folder: string) {
  return namesIn(folder).map((name) => ({ name, note: noteAt(join(folder, name)) }));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+-\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

function noteAt(path: string) {
  try {
    return Note.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
