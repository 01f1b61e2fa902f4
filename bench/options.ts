import { parseArgs } from 'node:util';

export interface BenchmarkOptions {
  /** Machine-readable on stdout instead of tables. */
  readonly json: boolean;
  /** Measured time for each contender in each case, all rounds together. */
  readonly seconds: number;
  readonly rounds: number;
}

/** Ends the process with a sentence and code 2 when the command line is wrong. */
export function readOptions(args: readonly string[]): BenchmarkOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean' }, quick: { type: 'boolean' }, seconds: { type: 'string' } },
    });
    const quick = values.quick === true;
    const seconds = Number(values.seconds ?? (quick ? 0.8 : 5));
    if (!(seconds > 0 && seconds <= 600)) throw new Error('--seconds must be a number above 0 and up to 600.');
    return { json: values.json === true, seconds, rounds: quick ? 2 : 5 };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
