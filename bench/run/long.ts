import { median } from '../statistics.js';
import { AGENTS, openRepository } from './repository.js';
import { goingRound, saying } from './words.js';
import { chain } from './workflows.js';

export interface LongMeasurement {
  readonly turns: number;
  /** Medians of a turn, among the first and among the last of a run. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly growth: number;
}

const TURNS_OF_A_STEP = 40;
const COMPARED = 20;

/** Steps that go round many times, so that the journal and the sessions get long. */
export async function measureLong(folder: string, runs: number): Promise<LongMeasurement> {
  const steps = `iterate = true\nmax_iterations = ${TURNS_OF_A_STEP + 1}`;
  const repository = await openRepository(folder, { workflows: { long: chain('long', steps) } });
  const first: number[] = [];
  const last: number[] = [];
  const growth: number[] = [];
  let starts: number[] = [];
  repository.ports.bus.on('turn-started', () => starts.push(performance.now()));
  // The first run warms up the code and is not counted.
  for (let run = 0; run <= runs; run++) {
    starts = [];
    const runnerFor = saying(goingRound(TURNS_OF_A_STEP));
    await repository.run(await repository.newIssue(), { workflow: 'long', runnerFor });
    const turns = starts.slice(1).map((at, index) => at - (starts[index] ?? Number.NaN));
    if (starts.length !== TURNS_OF_A_STEP * AGENTS.length) throw new Error(`There were ${starts.length} turns.`);
    if (run === 0) continue;
    const [early, late] = [median(turns.slice(0, COMPARED)), median(turns.slice(-COMPARED))];
    first.push(early);
    last.push(late);
    growth.push(late / early);
  }
  const turns = TURNS_OF_A_STEP * AGENTS.length;
  return { turns, firstMs: median(first), lastMs: median(last), growth: median(growth) };
}
