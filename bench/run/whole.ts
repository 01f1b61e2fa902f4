import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunnerFor } from '../../src/ports/runner.js';
import { replaceSynced } from '../hub/synced-file.js';
import { median, medianRatio, sum } from '../statistics.js';
import type { SyncedWrite } from './counting-file-system.js';
import { openRepository } from './repository.js';

export interface WholeMeasurement {
  readonly variant: string;
  /** Synced writes of one run, and their bytes. */
  readonly writes: number;
  readonly bytes: number;
  /** Medians of the rounds. */
  readonly runMs: number;
  readonly bareMs: number;
  /** Bare writes as a share of the run: 1 would be a run that costs nothing but its writes. */
  readonly ratio: number;
}

interface WholeOptions {
  readonly variant: string;
  readonly runnerFor: RunnerFor;
  readonly rounds: number;
}

/** The first runs warm up the code and are not counted. */
const WARM_UP = 10;

/**
 * Whole runs of the shipped feature workflow, each compared with the writes of the run before it, done barely: same
 * names, same sizes, one after the other. Which of the two comes first changes with every round.
 */
export async function measureWhole(folder: string, options: WholeOptions): Promise<WholeMeasurement> {
  const { variant, runnerFor, rounds } = options;
  const repository = await openRepository(join(folder, 'repository'));
  const runs: number[] = [];
  const bares: number[] = [];
  let writes: readonly SyncedWrite[] = [];
  const run = async () => {
    const issueNumber = await repository.newIssue();
    const started = performance.now();
    await repository.run(issueNumber, { runnerFor });
    const milliseconds = performance.now() - started;
    writes = repository.takeWrites();
    return milliseconds;
  };
  for (let round = 0; round < WARM_UP; round++) await run();
  for (let round = 0; round < rounds; round++) {
    const runBare = () => bares.push(writeBare(join(folder, 'bare', String(round)), writes));
    if (round % 2 === 0) runBare();
    runs.push(await run());
    if (round % 2 === 1) runBare();
  }
  const bytes = sum(writes.map((write) => write.bytes));
  const [runMs, bareMs] = [median(runs), median(bares)];
  return { variant, writes: writes.length, bytes, runMs, bareMs, ratio: medianRatio(bares, runs) };
}

/** Milliseconds. The folders exist before the clock starts. */
function writeBare(folder: string, writes: readonly SyncedWrite[]): number {
  const files = writes.map(({ path, bytes }) => ({ path: join(folder, path), text: 'x'.repeat(bytes) }));
  for (const { path } of files) mkdirSync(dirname(path), { recursive: true });
  const started = performance.now();
  for (const { path, text } of files) replaceSynced(path, text);
  return performance.now() - started;
}
