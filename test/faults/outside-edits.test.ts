import { closeSync, existsSync, openSync, readFileSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realFileSystem } from '../../src/storage/files/file-system.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { aClarification } from '../builders/clarification.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ledgerPath } from './support/paths.js';
import { dateByCoarseClock, withCoarseClock } from './support/strange-file-systems.js';

const rounds = repetitions({ short: 200, long: 3_000 });

/** Newer systems have a clock that gives every change another time; on others, two changes may have the same. */
const clocks = [
  { name: 'by the clock of this system', fs: realFileSystem, date: () => {} },
  { name: 'by a clock that moves in steps', fs: withCoarseClock(), date: dateByCoarseClock },
];

/** Two statuses of the same length: one counts as active, the other does not. */
const [ACTIVE, DONE] = ['answered', 'resolved'] as const;

describe.each(clocks)('a change by another program, in place, of the same size and at once, $name,', ({ fs, date }) => {
  const open = (root: string): TestStore => openFileStore({ root, sync: false, fs });

  function edit(path: string, write: (path: string, text: string) => void, from: string, to: string): void {
    const before = readFileSync(path, 'utf8');
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    expect(after.length).toBe(before.length);
    write(path, after);
    date(path);
  }

  it.each([
    ['truncates', writeFileSync],
    ['overwrites', overwrite],
    ['sets back the time of', overwriteAndSetBack],
  ])('is seen by the next reading when the program %s the file [US-1.1/16]', async (_, write) => {
    const root = temporaryFolder();
    const [writer, observer] = [open(root), open(root)];
    for (let round = 0; round < rounds; round++) {
      await setTopic(writer, `ours-${round}`);
      expect(await topicIn(writer)).toBe(`ours-${round}`);
      expect(await topicIn(observer)).toBe(`ours-${round}`);
      edit(ledgerPath(root), write, `ours-${round}`, `them-${round}`);
      expect(await topicIn(writer), 'the process that wrote before').toBe(`them-${round}`);
      expect(await topicIn(observer), 'a process that read before').toBe(`them-${round}`);
    }
  });

  it('is seen by the next listing, in the process that wrote and in one that listed before [US-1.1/16]', async () => {
    const root = temporaryFolder();
    const [writer, observer] = [open(root), open(root)];
    for (let round = 0; round < rounds; round++) {
      await setTopic(writer, 'ours', ACTIVE);
      for (const [from, to, count] of [
        [ACTIVE, DONE, 0],
        [DONE, ACTIVE, 1],
      ] as const) {
        await observer.ledgers.list({ active: true });
        await writer.ledgers.list({ active: true });
        edit(ledgerPath(root), writeFileSync, `"${from}"`, `"${to}"`);
        expect((await observer.ledgers.list({ active: true })).items).toHaveLength(count);
        expect((await writer.ledgers.list({ active: true })).items).toHaveLength(count);
      }
    }
  });

  it('is seen by a program that finds an index which others left [US-1.1/16]', async () => {
    const root = temporaryFolder();
    const store = open(root);
    for (let issue = 1; issue <= 80; issue++) {
      const record = aClarification({ id: `CLR-${issue}-001`, status: ACTIVE });
      await store.ledgers.update(issue, (ledger) => ({ next: { ...ledger, clarifications: [record] }, result: 0 }));
      // Old enough that the index remembers it.
      utimesSync(ledgerPath(root, issue), 1_000_000, 1_000_000);
    }
    await expect.poll(() => countWithIndex(root)).toEqual({ active: 80, isIndexed: true });
    for (let issue = 1; issue <= 80; issue++) {
      edit(ledgerPath(root, issue), writeFileSync, `"${ACTIVE}"`, `"${DONE}"`);
      await expect(countWithIndex(root)).resolves.toEqual({ active: 80 - issue, isIndexed: true });
    }
  });

  it('is kept by the next update of the process that wrote before', async () => {
    const root = temporaryFolder();
    const store = open(root);
    for (let round = 0; round < rounds; round++) {
      await setTopic(store, `ours-${round}`);
      edit(ledgerPath(root), writeFileSync, `ours-${round}`, `them-${round}`);
      const result = await store.ledgers.update(42, (ledger) => ({
        next: { ...ledger, lastSequence: round },
        result: ledger.clarifications[0]?.topic,
      }));
      expect(result).toBe(`them-${round}`);
      expect(await topicIn(store)).toBe(`them-${round}`);
    }
  });
});

type TestStore = ReturnType<typeof openFileStore>;

async function setTopic(store: TestStore, topic: string, status: 'answered' | 'pending' = 'pending'): Promise<void> {
  await store.ledgers.update(42, (ledger) => ({
    next: { ...ledger, clarifications: [aClarification({ topic, status })] },
    result: undefined,
  }));
}

async function topicIn(store: TestStore): Promise<string | undefined> {
  return (await store.ledgers.read(42)).clarifications[0]?.topic;
}

/** What a newly started program finds active. */
async function countWithIndex(root: string): Promise<{ active: number; isIndexed: boolean }> {
  const { items } = await openFileStore({ root }).ledgers.list({ active: true });
  return { active: items.length, isIndexed: existsSync(join(root, 'state/index/clarifications.json')) };
}

/** Like tools that copy files with their times. */
function overwriteAndSetBack(path: string, text: string): void {
  const { mtimeMs } = statSync(path);
  overwrite(path, text);
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

function overwrite(path: string, text: string): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, text);
  closeSync(fd);
}
