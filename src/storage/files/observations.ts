import { join } from 'node:path';
import * as z from 'zod/mini';
import type { IObservationStore, MemoryNotice } from '../../ports/observations.js';
import { AgentXError } from '../../protocol/errors.js';
import { Observation, ObservationFile } from '../../protocol/observation.js';
import { parseWith } from '../../protocol/parse.js';
import { NO_RECALLS, type RecallCounts, Recalls, withRecalls } from '../../protocol/recalls.js';
import { type ObservationFiles, ObservationStore, type Shelf } from '../../search/observation-store.js';
import type { Claims } from './claims.js';
import { decodeDocument } from './document-kind.js';
import { readIfThere, statIfThere } from './file-system.js';
import type { FilesContext } from './files-context.js';
import { namesIn } from './folder-index.js';
import { JsonFile } from './json-file.js';
import { JsonFolder } from './json-folder.js';
import { issueFileNames, type Layout } from './layout.js';
import { MemoryIndex } from './memory-index.js';
import { orStoreError } from './store-error.js';

/**
 * `memory/issue-{N}.json`, and `memory/archive/issue-{N}.json` for what was merged. These files are the truth; everything
 * else about memory is derived from them (memory-index.ts).
 */
export function observationFiles(
  context: FilesContext,
  claims: Claims,
  onNotice: (notice: MemoryNotice) => void = () => {},
): IObservationStore {
  const { fs, layout } = context;
  const { memory, memoryArchive } = layout;
  let openFiles: Omit<ObservationFiles, 'hasNone' | 'claim'> | undefined;
  const files = () => {
    openFiles ??= open(context, layout, onNotice);
    return openFiles;
  };
  // Most commands never look into the memory: they do not pay for it.
  return new ObservationStore({
    read: (shelf, issueNumber) => files().read(shelf, issueNumber),
    readSome: (issueNumber, ids) => files().readSome(issueNumber, ids),
    update: (shelf, issueNumber, update) => files().update(shelf, issueNumber, update),
    hasNone: () =>
      openFiles === undefined && [memory, memoryArchive].every((folder) => namesIn(fs, folder).length === 0),
    index: () => files().index(),
    recalls: () => files().recalls(),
    countRecalls: (ids) => files().countRecalls(ids),
    bytes: () => files().bytes(),
    rebuild: () => files().rebuild(),
    claim: (on, options) => claims.claim(on, options),
  });
}

function open(
  context: FilesContext,
  layout: Layout,
  onNotice: (notice: MemoryNotice) => void,
): Omit<ObservationFiles, 'hasNone' | 'claim'> {
  const folderOf = (folder: string) =>
    new JsonFolder<number, ObservationFile>(context, {
      folder,
      what: 'file of observations',
      schema: ObservationFile,
      mode: modeBelow(context, layout.root),
      ...issueFileNames,
    });
  const shelves: Readonly<Record<Shelf, JsonFolder<number, ObservationFile>>> = {
    live: folderOf(layout.memory),
    archive: folderOf(layout.memoryArchive),
  };
  const parse = (value: unknown) => parseWith(Recalls, value, 'The list of recalls');
  // Every change counts one more (`withRecalls`): what was sound stays so.
  const kind = { parse, changeFits: () => true, mode: 0o600, durable: false };
  const recalls = new JsonFile<Recalls>(context, kind, layout.recallsFile);
  const index = new MemoryIndex({ context, layout, shelves, onNotice });
  return {
    read: (shelf, issueNumber) => shelves[shelf].file(issueNumber).read(),
    readSome: async (issueNumber, ids) => {
      const path = join(layout.memory, issueFileNames.nameOf(issueNumber));
      const observations = readSomeOf(context, path, ids);
      if (observations !== undefined) return observations;
      const file = await shelves.live.file(issueNumber).read();
      return file?.observations.filter(({ id }) => ids.has(id)) ?? [];
    },
    update: async (shelf, issueNumber, update) => {
      const result = await shelves[shelf].update(issueNumber, update);
      index.noteWrite();
      return result;
    },
    index: async () => index.upToDate(),
    recalls: () => recallCounts(recalls, onNotice),
    countRecalls: (ids) =>
      recalls.update((current = NO_RECALLS) => ({
        next: ids.length === 0 ? current : withRecalls(current, ids),
        result: undefined,
      })),
    bytes: () => bytesBelow(context, layout) + index.bytes(),
    rebuild: async () => index.rebuild(),
  };
}

/**
 * A recall wants a few observations of each of many files: only these are checked, which is most of the work. Undefined if the
 * file has to be looked at as a whole, because it is damaged or being written.
 */
function readSomeOf({ fs }: FilesContext, path: string, ids: ReadonlySet<string>): readonly Observation[] | undefined {
  try {
    const bytes = readIfThere(fs, path);
    if (bytes === undefined) return [];
    const parse = (value: unknown) => parseWith(z.array(Observation), wanted(value, ids), 'The list of observations');
    return decodeDocument({ parse, mode: 0, durable: false }, path, bytes);
  } catch {
    return undefined;
  }
}

function wanted(value: unknown, ids: ReadonlySet<string>): unknown {
  const { observations } = Object(value);
  if (!Array.isArray(observations)) return undefined;
  return observations.filter((one) => ids.has(Object(one).id));
}

/** A list that cannot be read takes only the counts away. */
function recallCounts(file: JsonFile<Recalls>, onNotice: (notice: MemoryNotice) => void): RecallCounts {
  try {
    return (file.readNow() ?? NO_RECALLS).counts;
  } catch (error) {
    if (!(error instanceof AgentXError)) throw error;
    onNotice({ kind: 'skipped', error });
    return NO_RECALLS.counts;
  }
}

/** Memory is as private as the folder that it lies in. */
function modeBelow({ fs }: FilesContext, root: string): number {
  const mode = orStoreError('read', root, () => statIfThere(fs, root))?.mode ?? 0o777;
  return mode & 0o666;
}

function bytesBelow({ fs }: FilesContext, { memory, memoryArchive }: Layout): number {
  const sizeOf = (path: string) => fs.statSync(path, { throwIfNoEntry: false });
  return [memory, memoryArchive]
    .flatMap((folder) => namesIn(fs, folder).map((name) => sizeOf(join(folder, name))))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0);
}
