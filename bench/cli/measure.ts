import { setTimeout as sleep } from 'node:timers/promises';
import { median, medianRatio, quantile } from '../statistics.js';
import { COMMANDS, type CommandName, startAgentx, startNode } from './programs.js';
import type { Repository } from './repository.js';

/** Every listing reads recently changed files again; after this pause the files are old enough to be trusted. */
const SETTLE_MS = 500;

export interface CliMeasurement {
  readonly command: CommandName;
  readonly issues: number;
  readonly isOnGitHub: boolean;
  /** Medians of the rounds. */
  readonly milliseconds: number;
  readonly p90: number;
  readonly bare: number;
  /** As a multiple of `node -e 0` in the same round. */
  readonly ratio: number;
}

interface Contest {
  readonly command: CommandName;
  readonly repository: Repository;
  readonly times: number[];
  readonly bare: number[];
}

/**
 * Every command in every repository, each right after a bare Node, in an order that moves on with every round. The first
 * round warms the caches and the indexes and is not counted.
 */
export async function measureCommands(repositories: readonly Repository[], rounds: number): Promise<CliMeasurement[]> {
  const names: readonly CommandName[] = ['ready', 'clarify', 'hook start', 'state'];
  const contests = repositories.flatMap((repository) =>
    (repository.env === undefined ? names : names.slice(0, 1)).map(
      (command): Contest => ({ command, repository, times: [], bare: [] }),
    ),
  );
  for (let round = 0; round <= rounds; round++) {
    await sleep(round < 2 ? SETTLE_MS : 0);
    console.error(round === 0 ? 'Warming up' : `[${round}/${rounds}]`);
    for (let turn = 0; turn < contests.length; turn++) {
      const { command, repository, times, bare } = contests[(round + turn) % contests.length] ?? missing();
      const node = startNode(repository.folder);
      const agentx = startAgentx(repository.folder, COMMANDS[command], repository.env);
      if (round === 0) continue;
      bare.push(node);
      times.push(agentx);
    }
  }
  return contests.map(({ command, repository, times, bare }) => ({
    command,
    issues: repository.issues,
    isOnGitHub: repository.env !== undefined,
    milliseconds: median(times),
    p90: quantile(times, 0.9),
    bare: median(bare),
    ratio: medianRatio(times, bare),
  }));
}

function missing(): never {
  throw new Error('There is nothing to measure.');
}
