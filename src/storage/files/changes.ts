import { mkdirSync, readdirSync, statSync, watch } from 'node:fs';
import type { Change, ChangedKind } from '../../ports/changes.js';
import type { Store } from '../../ports/store.js';
import { errorCode } from './file-system.js';
import { issueFileNames, type Layout } from './layout.js';

const POLL_MS = 2_000;
/** Looking through thousands of files takes a while, in which nothing else happens: it may take one part in so many. */
const REST = 50;

/** Calls back with the name of a file that may have changed, or null; returns the function that ends it. */
export type WatchFolder = (folder: string, listener: (name: string | null) => void) => () => void;

export interface FileChangesOptions {
  readonly pollMs?: number;
  readonly watchFolder?: WatchFolder;
}

/**
 * Watches the folders of the store. The operating system may drop notices, and some file systems send none, so that the
 * folders are looked through now and then as well: what is not as it was at the last look is told.
 */
export function fileChanges(
  layout: Layout,
  { pollMs = POLL_MS, watchFolder = watchNatively }: FileChangesOptions = {},
): Pick<Store, 'watch'> {
  return {
    watch(listener) {
      const places = placesOf(layout).map((place) => new Watched(place, listener));
      const watches = places.map((place) => place.watch(watchFolder));
      let timer: NodeJS.Timeout;
      const pollIn = (waitMs: number) => {
        timer = setTimeout(() => {
          const started = performance.now();
          for (const place of places) place.look();
          pollIn(Math.max(pollMs, (performance.now() - started) * REST));
        }, waitMs).unref();
      };
      pollIn(pollMs);
      return () => {
        clearTimeout(timer);
        for (const end of watches) end();
      };
    },
  };
}

/** Only what the operating system tells, of one ledger: for whoever looks by themselves now and then. */
export function watchLedger(layout: Layout, issueNumber: number, listener: () => void): () => void {
  const wanted = issueFileNames.nameOf(issueNumber);
  return watchNatively(layout.ledgers, (name) => {
    if (name === null || name === wanted) listener();
  });
}

interface Place {
  readonly kind: ChangedKind;
  readonly folder: string;
  /** Undefined for locks, temporary files and others that are not meant. */
  readonly idOf: (name: string) => string | undefined;
}

function placesOf(layout: Layout): readonly Place[] {
  const ofIssue = (name: string) => issueFileNames.keyOf(name)?.toString();
  const matching = (pattern: RegExp) => (name: string) => pattern.exec(name)?.[1];
  return [
    { kind: 'questions', folder: layout.questions, idOf: matching(/^(oq-[A-Za-z0-9_-]{1,64})\.json$/) },
    { kind: 'clarifications', folder: layout.ledgers, idOf: ofIssue },
    { kind: 'agents', folder: layout.state, idOf: (name) => (name === 'agent-status.json' ? '' : undefined) },
    { kind: 'issues', folder: layout.issues, idOf: matching(/^(0|[1-9]\d{0,14})\.json$/) },
    { kind: 'runs', folder: layout.runs, idOf: ofIssue },
    { kind: 'assumptions', folder: layout.assumptions, idOf: ofIssue },
  ];
}

class Watched {
  #prints: ReadonlyMap<string, string>;

  constructor(
    private readonly place: Place,
    private readonly listener: (change: Change) => void,
  ) {
    this.#prints = this.#printAll();
  }

  watch(watchFolder: WatchFolder): () => void {
    return watchFolder(this.place.folder, (name) => {
      if (name === null) this.look();
      else this.#tell(name);
    });
  }

  /** What is new, changed or gone since the last look. */
  look(): void {
    const before = this.#prints;
    this.#prints = this.#printAll();
    for (const [name, print] of this.#prints) if (before.get(name) !== print) this.#tell(name);
    for (const name of before.keys()) if (!this.#prints.has(name)) this.#tell(name);
  }

  #tell(name: string): void {
    const id = this.place.idOf(name);
    if (id !== undefined) this.listener({ kind: this.place.kind, id });
  }

  #printAll(): ReadonlyMap<string, string> {
    const { folder, idOf } = this.place;
    const prints = new Map<string, string>();
    for (const name of namesIn(folder)) {
      const print = idOf(name) === undefined ? undefined : printOf(`${folder}/${name}`);
      if (print !== undefined) prints.set(name, print);
    }
    return prints;
  }
}

/** Undefined if it is gone. What cannot be looked at has a print too: that it can be again is a change. */
function printOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
  } catch (error) {
    return errorCode(error) ?? '';
  }
}

/** A folder that cannot be read holds nothing that could be shown; reading its documents says why. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Where watching is not possible (too many watchers, a strange file system), the looks are what is left. */
function watchNatively(folder: string, listener: (name: string | null) => void): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const watcher = watch(folder, { persistent: false }, (_, name) => listener(name));
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
