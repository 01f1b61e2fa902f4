import type { RunnerFor } from '../../src/ports/runner.js';
import type { RunPorts } from '../../src/run/ports.js';
import { openRepository } from './repository.js';

/** How often one run called a part of its ports, and how long it waited there; waits may overlap. */
export interface ProfileRow {
  readonly part: string;
  readonly calls: number;
  readonly milliseconds: number;
}

const WARM_UP = 10;

/** Means of one run of the feature workflow. */
export async function profileRuns(
  folder: string,
  { runnerFor, runs }: { readonly runnerFor: RunnerFor; readonly runs: number },
): Promise<readonly ProfileRow[]> {
  const repository = await openRepository(folder);
  const rows = new Map<string, { calls: number; milliseconds: number }>();
  const ports = timed(repository.ports, (part, milliseconds) => {
    const row = rows.get(part) ?? { calls: 0, milliseconds: 0 };
    rows.set(part, { calls: row.calls + 1, milliseconds: row.milliseconds + milliseconds });
  });
  for (let run = 0; run < WARM_UP + runs; run++) {
    if (run === WARM_UP) rows.clear();
    const issueNumber = await repository.newIssue();
    const started = performance.now();
    await repository.run(issueNumber, { runnerFor, ports });
    const wholeRun = rows.get('whole run') ?? { calls: 0, milliseconds: 0 };
    rows.set('whole run', {
      calls: wholeRun.calls + 1,
      milliseconds: wholeRun.milliseconds + performance.now() - started,
    });
  }
  return [...rows]
    .map(([part, { calls, milliseconds }]) => ({ part, calls: calls / runs, milliseconds: milliseconds / runs }))
    .toSorted((left, right) => right.milliseconds - left.milliseconds);
}

type Note = (part: string, milliseconds: number) => void;

function timed(ports: RunPorts, note: Note): RunPorts {
  const { ledgers, statuses, questions, assumptions, issues, runs, sessions, tasks } = ports.store;
  const of = <T extends object>(name: string, part: T) => timedPart(part, name, note);
  return {
    ...ports,
    store: {
      ...ports.store,
      ledgers: of('ledgers', ledgers),
      statuses: of('statuses', statuses),
      questions: of('questions', questions),
      assumptions: of('assumptions', assumptions),
      issues: of('issues', issues),
      runs: of('runs', runs),
      sessions: of('sessions', sessions),
      tasks: of('tasks', tasks),
    },
    artifacts: of('artifacts', ports.artifacts),
    workflows: of('workflows', ports.workflows),
    log: of('log', ports.log),
    bus: of('bus', ports.bus),
  };
}

function timedPart<T extends object>(part: T, name: string, note: Note): T {
  return new Proxy(part, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]): unknown => {
        const started = performance.now();
        const end = () => note(`${name}.${String(key)}`, performance.now() - started);
        const result: unknown = Reflect.apply(method, target, args);
        if (result instanceof Promise) result.then(end, end);
        else end();
        return result;
      };
    },
  });
}
