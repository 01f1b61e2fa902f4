import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import type { ChangedKind, Changes } from '../../ports/changes.js';
import type { Layout } from './layout.js';

const POLL_MS = 2_000;

/**
 * Watches the folders of the store. The operating system may drop notices, and some file systems send none, so that all
 * kinds are told now and then anyway: whoever listens looks at what is there, which costs little where nothing changed.
 */
export function fileChanges(layout: Layout, pollMs: number = POLL_MS): Changes {
  return {
    watch(listener) {
      const watchers = placesOf(layout).flatMap((place) => watchPlace(place, listener));
      const poll = setInterval(() => {
        for (const { kind } of placesOf(layout)) listener(kind);
      }, pollMs);
      poll.unref();
      return () => {
        clearInterval(poll);
        for (const watcher of watchers) watcher.close();
      };
    },
  };
}

interface Place {
  readonly kind: ChangedKind;
  readonly folder: string;
  /** The files that count: not locks, not temporary ones. */
  readonly isMeant: (name: string) => boolean;
}

function placesOf(layout: Layout): readonly Place[] {
  const isJson = (name: string) => name.endsWith('.json');
  return [
    { kind: 'questions', folder: layout.questions, isMeant: isJson },
    { kind: 'clarifications', folder: layout.ledgers, isMeant: isJson },
    { kind: 'agents', folder: layout.state, isMeant: (name) => name === 'agent-status.json' },
    { kind: 'issues', folder: layout.issues, isMeant: isJson },
    { kind: 'runs', folder: layout.runs, isMeant: isJson },
    { kind: 'assumptions', folder: layout.assumptions, isMeant: isJson },
  ];
}

/** Where watching is not possible (too many watchers, a strange file system), the poll is what is left. */
function watchPlace({ kind, folder, isMeant }: Place, listener: (kind: ChangedKind) => void): FSWatcher[] {
  try {
    mkdirSync(folder, { recursive: true });
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || isMeant(name)) listener(kind);
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}
