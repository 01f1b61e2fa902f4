import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/storage/files/layout.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Child, startChild } from './support/children.js';
import { type KindName, kinds } from './support/kinds.js';
import { litterIn } from './support/litter.js';
import type { Acknowledged, UpdaterConfig } from './support/updater.js';

describe('a busy process with a journal', () => {
  it.each(['clarification', 'answer'] as const)(
    'that is killed loses no acknowledged %s, and the next process that opens the store removes its journal [US-1.2/27]',
    async (kind) => {
      for (let round = 0; round < repetitions({ short: 2, long: 60 }); round++) await killOne(kind);
    },
  );

  it('that ends leaves no journal', async () => {
    const root = temporaryFolder();
    const child = busy(root, 'clarification', 'c', 60);
    await child.untilDone();
    expect(journalsIn(root)).toEqual([]);
    expect(await kinds.clarification.present(openFileStore({ root }))).toHaveLength(60);
  });
});

async function killOne(kind: KindName): Promise<void> {
  const root = temporaryFolder();
  const victim = busy(root, kind, 'victim');
  const other = busy(root, kind, 'other');
  await expect.poll(() => journalsIn(root).length).toBeGreaterThan(0);
  await sleep(Math.random() * 150);
  victim.kill();
  await victim.ended;
  const after = busy(root, kind, 'after', 3);
  await after.untilDone();
  other.kill();
  await other.ended;

  const present = await kinds[kind].present(openFileStore({ root }));
  expect(journalsIn(root), 'of the dead').toEqual([]);
  const acknowledged = [victim, other, after].flatMap(({ reports }) => reports.map((report) => report.acknowledged));
  expect(acknowledged.filter((key) => !present.includes(key))).toEqual([]);
  expect(present.length).toBe(new Set(present).size);
  await kinds[kind].add(openFileStore({ root }), 'last');
  await expect.poll(() => litterIn(root)).toEqual([]);
}

function busy(root: string, kind: KindName, name: string, count?: number): Child<Acknowledged> {
  const config: UpdaterConfig = { root, kind, name, journalAfter: 1, ...(count !== undefined && { count }) };
  return startChild<Acknowledged>('updater', config);
}

function journalsIn(root: string): string[] {
  const folder = layoutOf(root).journal;
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
