import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../src/app/config.js';
import { createEventBus } from '../../src/app/event-bus.js';
import { openEngine } from '../../src/app/hub-ports.js';
import { initFolder } from '../../src/app/init.js';
import { createLog } from '../../src/app/log.js';
import { createIssue } from '../../src/board/issues.js';
import type { WritableArtifacts } from '../../src/ports/artifacts.js';
import type { Clock } from '../../src/ports/clock.js';
import type { RunnerFor } from '../../src/ports/runner.js';
import type { RunPorts } from '../../src/run/ports.js';
import { runIssue } from '../../src/run/run-issue.js';
import { FileLockManager } from '../../src/storage/files/json-file-lock.js';
import { layoutOf } from '../../src/storage/files/layout.js';
import { openFileStore } from '../../src/storage/files/store.js';
import { type CountingFileSystem, countingFileSystem, type SyncedWrite } from './counting-file-system.js';
import { BODY } from './words.js';

/** A repository with the engine on it as the app opens it. */
export interface BenchRepository {
  readonly ports: RunPorts;
  newIssue(): Promise<number>;
  /** A whole run. Throws unless it is done. */
  run(issueNumber: number, options?: RunOptions): Promise<void>;
  /** What was made durable since the last call; paths from the repository. */
  takeWrites(): readonly SyncedWrite[];
}

interface RunOptions {
  /** The name of a workflow instead of the shipped one for features. */
  readonly workflow?: string;
  /** Instead of the agents that the repository was opened with. */
  readonly runnerFor?: RunnerFor;
  readonly ports?: RunPorts;
}

interface RepositoryOptions {
  /** The lines of each agent's table. */
  readonly agents?: string;
  /** By name. */
  readonly workflows?: Readonly<Record<string, string>>;
}

export const AGENTS = ['product-manager', 'ux-designer', 'architect', 'engineer', 'reviewer'];

const CLOCK: Clock = {
  now: () => new Date().toISOString(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
};

export async function openRepository(folder: string, options: RepositoryOptions = {}): Promise<BenchRepository> {
  const root = writeFiles(folder, options);
  const counting = countingFileSystem();
  const log = createLog({ folder: join(layoutOf(root).state, 'logs') });
  const bus = createEventBus({ onError: (error) => log.error('A listener failed.', { error }) });
  const base = { store: openFileStore({ root, fs: counting.fs }), bus, clock: CLOCK, log };
  // Keeps the approvals apart from the user's own.
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'user') };
  const engine = openEngine(root, base, { config: loadConfig(root), env });
  await engine.trust.approve(engine.config, new FileLockManager());
  const runPorts = engine.runPorts();
  const ports = { ...runPorts, artifacts: counted(runPorts.artifacts, counting, folder) };
  return {
    ports,
    async newIssue() {
      const title = 'Import keeps what it has read when it fails half way';
      const { number } = await createIssue(ports, { title, body: BODY, labels: ['type:feature'] });
      counting.takeWrites();
      return number;
    },
    async run(issueNumber, { workflow, runnerFor, ports: runPorts = ports } = {}) {
      const request = { issueNumber, wait: false, ...(workflow === undefined ? {} : { workflow }) };
      const { status, reason } = await runIssue(
        runnerFor === undefined ? runPorts : { ...runPorts, runnerFor },
        request,
      );
      if (status !== 'done') throw new Error(`The run of issue ${issueNumber} is ${status}: ${reason ?? 'it waits'}`);
    },
    takeWrites: () => counting.takeWrites().map(({ path, bytes }) => ({ path: relative(folder, path), bytes })),
  };
}

function writeFiles(folder: string, { agents = 'runner = "human"', workflows = {} }: RepositoryOptions): string {
  const config = `project = "bench"\n${AGENTS.map((agent) => `\n[agents.${agent}]\n${agents}\n`).join('')}`;
  mkdirSync(join(folder, '.agentx', 'workflows'), { recursive: true });
  writeFileSync(join(folder, '.agentx', 'config.toml'), config);
  for (const [name, text] of Object.entries(workflows)) {
    writeFileSync(join(folder, '.agentx', 'workflows', `${name}.toml`), text);
  }
  return initFolder({ repository: folder }).root;
}

/** Artifacts bypass the file system of the store. Here each is new, so each is written. */
function counted(artifacts: WritableArtifacts, counting: CountingFileSystem, folder: string): WritableArtifacts {
  return {
    ...artifacts,
    async write(artifact, issueNumber) {
      const path = await artifacts.write(artifact, issueNumber);
      counting.add({ path: join(folder, path), bytes: Buffer.byteLength(artifact.content) });
      return path;
    },
  };
}
