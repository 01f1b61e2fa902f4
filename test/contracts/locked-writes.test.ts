import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyStatusEvent } from '../../src/protocol/agent-status.js';
import { type FileSystem, OWN_FILE_TO_APPEND, realFileSystem } from '../../src/storage/files/file-system.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { AT } from '../builders/clarification.js';
import { KIND_NAMES, kinds } from '../faults/support/kinds.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The real file system; `written` is called before every document gets its next content, or its next line. */
function watchedFileSystem(written: (path: string) => void): FileSystem {
  const tell = (to: unknown): void => {
    const path = String(to);
    if (/\.(?:nd)?json$/.test(path) && !/[/\\](?:index|journal)[/\\]/.test(path)) written(path);
  };
  return {
    ...realFileSystem,
    openSync(path, flags, mode) {
      if (flags === OWN_FILE_TO_APPEND) tell(path);
      return realFileSystem.openSync(path, flags, mode);
    },
    renameSync(from, to) {
      tell(to);
      realFileSystem.renameSync(from, to);
    },
    linkSync(from, to) {
      tell(to);
      realFileSystem.linkSync(from, to);
    },
  };
}

/** An index is replaced whole and made anew when it does not fit: it needs no lock. */
const isDerived = (path: string) => path === 'memory/manifest.json' || path.startsWith('state/index/');

function locksIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));
}

describe('a document of the store', () => {
  it.each(KIND_NAMES)(
    'is written while a lock lies beside it, which is gone afterwards: %s [US-1.2/1]',
    async (kind) => {
      const root = join(temporaryFolder(), '.agentx');
      const written: { readonly path: string; readonly isLocked: boolean }[] = [];
      const fs = watchedFileSystem((path) =>
        written.push({ path: relative(root, path), isLocked: existsSync(`${path}.lock`) }),
      );
      const store = openFileStore({ root, fs });
      for (let count = 0; count < 5; count++) await kinds[kind].add(store, `${count}`);
      const documents = written.filter(({ path }) => !isDerived(path));
      expect(documents.length).toBeGreaterThanOrEqual(5);
      expect(documents.filter(({ isLocked }) => !isLocked)).toEqual([]);
      await until(() => locksIn(root).length === 0);
    },
  );

  it('is written under its lock too when it holds statuses, interactions, or what the orchestrator remembers', async () => {
    const root = join(temporaryFolder(), '.agentx');
    const unlocked: string[] = [];
    const written: string[] = [];
    const fs = watchedFileSystem((path) => {
      written.push(relative(root, path));
      if (!existsSync(`${path}.lock`)) unlocked.push(relative(root, path));
    });
    const store = openFileStore({ root, fs });
    const engineer = applyStatusEvent(undefined, { type: 'assign', issue: 1, at: AT });
    await store.statuses.update(['engineer'], (file) => ({ next: { ...file, engineer }, result: undefined }));
    await store.orchestrator.update((file) => ({ next: { ...file, note: 'changed' }, result: undefined }));
    await store.interactions.append({ id: '1', request_type: 'open_question', status: 'pending', content: 'Which?' });
    const documents = ['state/agent-status.json', 'state/interactions.ndjson', 'state/orchestrator.json'];
    expect(written.sort()).toEqual(documents);
    expect(unlocked).toEqual([]);
  });
});
