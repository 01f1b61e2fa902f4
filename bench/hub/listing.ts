import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openQuestion } from '../../src/protocol/question-transition.js';
import { layoutOf } from '../../src/storage/files/layout.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { median, medianRatio } from '../statistics.js';
import { questionNumber } from './work.js';

const QUESTIONS = 10_000;
/** Every listing reads recently changed files again; after this pause the files are old enough to be trusted. */
const SETTLE_MS = 500;

export interface ListingMeasurement {
  readonly questions: number;
  /** Medians of the rounds, in milliseconds. */
  readonly files: number;
  readonly stats: number;
  readonly same: number;
  readonly fresh: number;
  readonly whole: number;
  /** As a share of reading all files. */
  readonly statsRatio: number;
  readonly sameRatio: number;
  readonly freshRatio: number;
  readonly wholeRatio: number;
}

/**
 * Lists every pending question, as a server and as a new command do, against reading every file: the summary of each,
 * and for a new command also the whole question. Looking at every file is the least that sees the edit of another
 * program.
 */
export async function measureListing(root: string, rounds: number): Promise<ListingMeasurement> {
  const { questions: folder } = layoutOf(root);
  mkdirSync(folder, { recursive: true });
  for (let count = 0; count < QUESTIONS; count++) {
    const { question } = openQuestion(questionNumber(`oq-${count}`, '2026-02-26T10:00:00Z'));
    writeFileSync(join(folder, `oq-${count}.json`), `${JSON.stringify(question, null, 2)}\n`);
  }
  await sleep(SETTLE_MS);
  const longLived = openFileStore({ root });
  const list = async (store: typeof longLived) =>
    expectAll((await store.questions.summaries({ status: 'open' })).items.length);
  const contenders = {
    files: async () => expectAll(readAll(folder).length),
    stats: async () => expectAll(readdirSync(folder).map((name) => statSync(join(folder, name))).length),
    same: () => list(longLived),
    fresh: () => list(openFileStore({ root })),
    whole: async () => expectAll((await openFileStore({ root }).questions.list({ status: 'open' })).items.length),
  };
  const names = ['files', 'stats', 'same', 'fresh', 'whole'] as const;
  const times: Record<(typeof names)[number], number[]> = { files: [], stats: [], same: [], fresh: [], whole: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const started = performance.now();
      await contenders[name]();
      if (round > 0) times[name].push(performance.now() - started);
    }
  }
  const { files, stats, same, fresh, whole } = times;
  return {
    questions: QUESTIONS,
    files: median(files),
    stats: median(stats),
    same: median(same),
    fresh: median(fresh),
    whole: median(whole),
    statsRatio: medianRatio(stats, files),
    sameRatio: medianRatio(same, files),
    freshRatio: medianRatio(fresh, files),
    wholeRatio: medianRatio(whole, files),
  };
}

function readAll(folder: string): unknown[] {
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

function expectAll(count: number): void {
  if (count !== QUESTIONS) throw new Error(`${count} questions instead of ${QUESTIONS}.`);
}
