import { spawn } from 'node:child_process';
import type { RunnerFor } from '../../src/ports/runner.js';
import { median } from '../statistics.js';
import { AGENTS, type BenchRepository, openRepository } from './repository.js';
import { chain } from './workflows.js';

export interface CommandMeasurement {
  readonly turns: number;
  /** Medians of the rounds, for one turn: within a run, and its program started by itself with the same brief. */
  readonly turnMs: number;
  readonly programMs: number;
  /** `node -e 0` */
  readonly nodeMs: number;
  /** What a turn takes beyond its program, as a share of `node -e 0` in the same round. */
  readonly share: number;
}

const PROGRAM = [process.execPath, '-e', `process.stdout.write('{"status":"done"}')`];
const NODE = [process.execPath, '-e', '0'];
const WARM_UP = 2;

/** Runs of five steps one after the other, a turn each: every turn also begins a step and ends it. */
export async function measureCommand(folder: string, rounds: number): Promise<CommandMeasurement> {
  const agents = `runner = "command"\ncommand = ${JSON.stringify(PROGRAM)}`;
  const repository = await openRepository(folder, { agents, workflows: { chain: chain('chain') } });
  const inputs = await briefsOf(repository);
  const contests = [
    () => runOnce(repository),
    () => startEach(PROGRAM, inputs),
    () =>
      startEach(
        NODE,
        inputs.map(() => ''),
      ),
  ].map((work) => ({ work, times: [] as number[] }));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (let turn = 0; turn < contests.length; turn++) {
      const contest = contests[Math.abs(round + turn) % contests.length];
      const milliseconds = (await contest?.work()) ?? Number.NaN;
      if (round >= 0) contest?.times.push(milliseconds / inputs.length);
    }
  }
  const [runs = [], programs = [], nodes = []] = contests.map(({ times }) => times);
  const shares = runs.map((ms, round) => (ms - (programs[round] ?? Number.NaN)) / (nodes[round] ?? Number.NaN));
  return {
    turns: inputs.length,
    turnMs: median(runs),
    programMs: median(programs),
    nodeMs: median(nodes),
    share: median(shares),
  };
}

/** The briefs that the programs of one run get. */
async function briefsOf(repository: BenchRepository): Promise<readonly string[]> {
  const briefs: string[] = [];
  const runnerFor: RunnerFor = (agent) => {
    const runner = repository.ports.runnerFor(agent);
    return {
      run: (brief, options) => {
        briefs.push(JSON.stringify(brief));
        return runner.run(brief, options);
      },
    };
  };
  await repository.run(await repository.newIssue(), { workflow: 'chain', runnerFor });
  if (briefs.length !== AGENTS.length) throw new Error(`There were ${briefs.length} turns.`);
  return briefs;
}

async function runOnce(repository: BenchRepository): Promise<number> {
  const issueNumber = await repository.newIssue();
  const started = performance.now();
  await repository.run(issueNumber, { workflow: 'chain' });
  return performance.now() - started;
}

async function startEach(command: readonly string[], inputs: readonly string[]): Promise<number> {
  const started = performance.now();
  for (const input of inputs) await start(command, input);
  return performance.now() - started;
}

/** As bare as it can be: writes its stdin, collects its stdout, ends when both have ended. */
function start([program = '', ...args]: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks).toString()) : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}
