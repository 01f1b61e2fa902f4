import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileSystem, realFileSystem } from '../../src/storage/files/file-system.js';
import { filesContext } from '../../src/storage/files/files-context.js';
import { Journal } from '../../src/storage/files/journal.js';
import { ownerIn } from '../../src/storage/files/journal-file.js';
import { recoverJournals } from '../../src/storage/files/journal-recovery.js';
import { JsonFile } from '../../src/storage/files/json-file.js';
import { layoutOf } from '../../src/storage/files/layout.js';
import { acquireLock } from '../../src/storage/files/lock.js';
import { machineOf, thisProcess } from '../../src/storage/files/process-identity.js';
import { repetitions } from '../support/mode.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type RecordedDisk, recordedDisk } from './support/recorded-disk.js';

const WRITERS = 2;
const DOCUMENTS = 3;
const CUTS = 12;
/** After the cut the machine starts again: same name, another boot. */
const REBOOTED = { host: `${machineOf(thisProcess().host)}/another-boot/ns`, pid: 1, start: 1 };

type Step =
  | { readonly do: 'update'; readonly writer: number; readonly document: number }
  | { readonly do: 'edit in place'; readonly document: number }
  | { readonly do: 'rest'; readonly writer: number };

interface Story {
  /** The steps in one list happen at the same time. */
  readonly steps: readonly (readonly Step[])[];
  /** After how many updates in a row each writer has a journal. */
  readonly inARow: readonly number[];
  readonly bytes: number;
  readonly seed: number;
}

interface Edit {
  readonly document: number;
  readonly from: number;
  readonly to: number;
}

interface Told {
  readonly document: number;
  readonly key: string;
  /** How many changes the disk had seen when it was acknowledged. */
  readonly at: number;
}

const aDocument = fc.nat({ max: DOCUMENTS - 1 });
const aWriter = fc.nat({ max: WRITERS - 1 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 16, arbitrary: fc.record({ do: fc.constant('update' as const), writer: aWriter, document: aDocument }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit in place' as const), document: aDocument }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rest' as const), writer: aWriter }) },
);
const stories = (inARow: fc.Arbitrary<number>): fc.Arbitrary<Story> =>
  fc.record({
    steps: fc.array(fc.array(aStep, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 25 }),
    inARow: fc.tuple(inARow, inARow),
    bytes: fc.integer({ min: 1_500, max: 6_000 }),
    seed: fc.nat(),
  });

describe('a power cut after any change to the disk', () => {
  it.each([
    ['without journals', fc.constant(Number.POSITIVE_INFINITY), 8],
    ['with journals', fc.constant(1), 10],
    ['with journals now and then', fc.integer({ min: 1, max: 12 }), 10],
  ])('loses nothing that was acknowledged, %s [X-12/5]', async (_name, inARow, short) => {
    const runs = fc.asyncProperty(stories(inARow), async (story) => {
      expect(await losses(story)).toEqual([]);
    });
    await fc.assert(runs, { numRuns: repetitions({ short, long: 200 }), endOnFailure: true });
  });

  it.each([
    ['the journal', 1, /\.log$/],
    ['documents at a checkpoint', 1, /\.json$/],
    ['new contents without a journal', Number.POSITIVE_INFINITY, /\.tmp$/],
    ['folders', Number.POSITIVE_INFINITY, /sessions$/],
  ])('is noticed by this test on a disk that forgets syncs of %s', async (_name, inARow, what) => {
    const lost: string[] = [];
    for (const story of fc.sample(stories(fc.constant(inARow)), 40)) {
      if (lost.length === 0) lost.push(...(await losses(story, what)));
    }
    expect(lost).not.toEqual([]);
  });
});

/** Plays the story, cuts the power here and there, and looks what is missing or cannot be read. */
async function losses(story: Story, forgets?: RegExp): Promise<readonly string[]> {
  const root = join(temporaryFolder(), '.agentx');
  mkdirSync(root);
  const disk = recordedDisk(root, (path) => forgets?.test(path) ?? false);
  const { told, edits } = await tell(story, root, disk);
  const random = randomFrom(story.seed);
  const lost: string[] = [];
  for (let cut = 0; cut < CUTS; cut++) {
    const length = cut === 0 ? disk.length() : Math.floor(random() * disk.length());
    const target = join(temporaryFolder(), '.agentx');
    disk.leaveAt(length, random, target);
    const acknowledged = told.filter(({ at }) => at <= length);
    // A program that writes in place loses the old content if the power is cut meanwhile: that is its own risk.
    const edited = edits.filter(({ from, to }) => from <= length && length <= to).map(({ document }) => document);
    const documents = [...Array(DOCUMENTS).keys()].filter((document) => !edited.includes(document));
    lost.push(...lostIn(target, documents, acknowledged).map((what) => `cut after ${length}: ${what}`));
    rmSync(target, { recursive: true });
  }
  return lost;
}

async function tell(
  { steps, inARow, bytes }: Story,
  root: string,
  disk: RecordedDisk,
): Promise<{ readonly told: readonly Told[]; readonly edits: readonly Edit[] }> {
  const writers = inARow.map((count) => aWriterOn(root, disk.fs, { inARow: count, bytes }));
  const told: Told[] = [];
  const edits: Edit[] = [];
  let count = 0;
  const carryOut = async (step: Step): Promise<void> => {
    if (step.do === 'rest') return writers[step.writer]?.journal.rest();
    if (step.do === 'edit in place') return void edits.push(...(await editInPlace(root, disk, step.document)));
    const key = `k${count++}`;
    await writers[step.writer]?.files[step.document]?.update((keys = []) => ({ next: [...keys, key], result: 0 }));
    told.push({ document: step.document, key, at: disk.length() });
  };
  for (const together of steps) {
    await Promise.all(together.map(carryOut));
    // Journals are made and checkpointed beside the updates.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(writers.map(({ journal }) => journal.rest()));
  return { told, edits };
}

/** One of the processes that write: each has a store of its own. */
function aWriterOn(root: string, fs: FileSystem, options: { inARow: number; bytes: number }) {
  const given = filesContext(root, { fs, agent: 'writer' });
  const journal = new Journal({ ...given, ...options });
  const context = { ...given, journal };
  const kind = { parse: keysIn, mode: 0o600, durable: true };
  const files = Array.from({ length: DOCUMENTS }, (_, number) => new JsonFile(context, kind, pathOf(root, number)));
  return { journal, files };
}

const pathOf = (root: string, document: number): string => join(layoutOf(root).sessions, `${document}.json`);

function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  throw new Error('it is no list');
}

/** Like a program that follows only the open format, and syncs the file and nothing else. */
async function editInPlace(root: string, { fs, length }: RecordedDisk, document: number): Promise<readonly Edit[]> {
  const file = pathOf(root, document);
  if (!existsSync(file)) return [];
  const lock = await acquireLock(file, { agent: 'editor', fs });
  try {
    const keys = keysIn(JSON.parse(readFileSync(file, 'utf8')));
    const from = length();
    const fd = fs.openSync(file, 'w');
    fs.writeSync(fd, Buffer.from(JSON.stringify([...keys, 'edited'])), 0);
    fs.fsyncSync(fd);
    fs.closeSync(fd);
    return [{ document, from, to: length() }];
  } finally {
    lock.release();
  }
}

/** What is missing after the machine has started again and a store was opened. */
function lostIn(root: string, documents: readonly number[], acknowledged: readonly Told[]): readonly string[] {
  const unsettled = recoverJournals({
    fs: realFileSystem,
    layout: layoutOf(root),
    agent: 'reader',
    self: REBOOTED,
    bootedAtMs: Date.now() + 60_000,
  });
  const troubles = unsettled.map(({ path, error }) => `${path} is left: ${String(error)}`);
  for (const document of documents) {
    const path = pathOf(root, document);
    const expected = acknowledged.filter((one) => one.document === document).map(({ key }) => key);
    if (!existsSync(path) && expected.length === 0) continue;
    try {
      const keys = keysIn(JSON.parse(readFileSync(path, 'utf8')));
      const missing = expected.filter((key) => !keys.includes(key));
      if (missing.length > 0) troubles.push(`${missing.join()} of ${document} is lost: ${keys.join()}`);
    } catch (error) {
      troubles.push(`${document} cannot be read: ${String(error)}`);
    }
  }
  return [...troubles, ...finishedJournals(root).map((name) => `${name} is still there`)];
}

/** A journal that was not finished when the power was cut held nothing yet; it is removed when it is old. */
function finishedJournals(root: string): readonly string[] {
  const folder = layoutOf(root).journal;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => ownerIn(readFileSync(join(folder, name))) !== undefined);
}

/** Repeatable randomness. */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
