import { readdirSync, statSync, watch } from 'node:fs';
import type { Change, ChangedDocument, ChangedKind } from '../../ports/changes.js';
import type { Store } from '../../ports/store.js';
import { errorCode, isSettled, makeInside, orElse, printOf, realFileSystem } from './file-system.js';
import { folderMode, issueFileNames, type Layout } from './layout.js';

const POLL_MS = 2_000;
/** Looking through thousands of files blocks the process: it may take one part in so many of the time. */
const REST = 50;

/** Calls back with the name of a file that may have changed, or null; returns the function that ends it. */
export type WatchFolder = (folder: string, listener: (name: string | null) => void) => () => void;

export interface FileChangesOptions {
  readonly pollMs?: number;
  readonly watchFolder?: WatchFolder;
}

/**
 * Watches the folders of the store. The operating system may drop notices, and some file systems send none, so the
 * folders are also looked through now and then: what differs from the last look is reported.
 */
export function fileChanges(
  layout: Layout,
  { pollMs = POLL_MS, watchFolder = watchNatively(layout) }: FileChangesOptions = {},
): Pick<Store, 'watch'> & { readonly close: () => void } {
  const ends = new Set<() => void>();
  return {
    watch(listener, only) {
      const watches = placesOf(layout, only).map((place) => watchPlace(place, watchFolder, listener));
      let timer: NodeJS.Timeout;
      const pollIn = (waitMs: number) => {
        timer = setTimeout(() => {
          const started = performance.now();
          for (const { look } of watches) look();
          pollIn(Math.max(pollMs, (performance.now() - started) * REST));
        }, waitMs).unref();
      };
      pollIn(pollMs);
      const end = () => {
        ends.delete(end);
        clearTimeout(timer);
        for (const watch of watches) watch.end();
      };
      ends.add(end);
      return end;
    },
    close: () => {
      for (const end of ends) end();
    },
  };
}

export interface Place {
  readonly kind: ChangedKind;
  readonly folder: string;
  /** Undefined for locks, temporary files and other files. */
  readonly idOf: (name: string) => string | undefined;
}

function placesOf(layout: Layout, only: ChangedDocument | undefined): readonly Place[] {
  const all = allPlaces(layout);
  if (only === undefined) return all;
  const idOf = (place: Place) => (name: string) => (place.idOf(name) === only.id ? only.id : undefined);
  return all.filter(({ kind }) => kind === only.kind).map((place) => ({ ...place, idOf: idOf(place) }));
}

export function allPlaces(layout: Layout): readonly Place[] {
  const ofIssue = (name: string) => issueFileNames.keyOf(name)?.toString();
  const matching = (pattern: RegExp) => (name: string) => pattern.exec(name)?.[1];
  return [
    { kind: 'questions', folder: layout.questions, idOf: matching(/^(oq-[A-Za-z0-9_-]{1,64})\.json$/) },
    { kind: 'clarifications', folder: layout.ledgers, idOf: ofIssue },
    { kind: 'agents', folder: layout.state, idOf: (name) => (name === 'agent-status.json' ? '' : undefined) },
    { kind: 'issues', folder: layout.issues, idOf: matching(/^(0|[1-9]\d{0,14})\.json$/) },
    { kind: 'runs', folder: layout.runs, idOf: ofIssue },
    { kind: 'assumptions', folder: layout.assumptions, idOf: ofIssue },
    { kind: 'observations', folder: layout.memory, idOf: ofIssue },
  ];
}

/** What is remembered of a document, to see later whether it has changed. */
interface Look {
  readonly print: string;
  /** Whether any later change would show. */
  readonly isSettled: boolean;
}

export function lookAt({ folder, idOf }: Place): ReadonlyMap<string, Look> {
  const looks = new Map<string, Look>();
  // An unreadable folder shows nothing; reading its documents reports why.
  for (const name of orElse<readonly string[]>([], () => readdirSync(folder))) {
    const id = idOf(name);
    const look = id === undefined ? undefined : lookAtFile(`${folder}/${name}`);
    if (id !== undefined && look !== undefined) looks.set(id, look);
  }
  return looks;
}

/** Undefined if it is gone. A file that cannot be examined has a look too: becoming readable again is a change. */
function lookAtFile(path: string): Look | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat && { print: printOf(stat).join(' '), isSettled: isSettled(stat) };
  } catch (error) {
    return { print: errorCode(error) ?? '', isSettled: false };
  }
}

/** `look` reports what is new, changed or gone since the last look. */
function watchPlace(place: Place, watchFolder: WatchFolder, listener: (change: Change) => void) {
  let looks = lookAt(place);
  const tell = (id: string | undefined) => {
    if (id !== undefined) listener({ kind: place.kind, id });
  };
  const look = () => {
    const before = looks;
    looks = lookAt(place);
    for (const [id, { print }] of looks) if (before.get(id)?.print !== print) tell(id);
    for (const id of before.keys()) if (!looks.has(id)) tell(id);
  };
  const end = watchFolder(place.folder, (name) => (name === null ? look() : tell(place.idOf(name))));
  return { look, end };
}

/** If watching is not possible (too many watchers, a strange file system), only the looks remain. */
function watchNatively(layout: Layout): WatchFolder {
  return (folder, listener) => {
    try {
      makeInside(realFileSystem, layout.root, folder, folderMode(layout, folder));
      const watcher = watch(folder, { persistent: false }, (_, name) => listener(name));
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    } catch {
      return () => {};
    }
  };
}
