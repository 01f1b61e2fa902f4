import type { LocatedWorkflow } from '../../src/ports/workflows.js';
import { AgentXError } from '../../src/protocol/errors.js';
import type { RunPorts } from '../../src/run/ports.js';
import { aHub, aWorkflow, type TestHub, type TestHubOptions } from './hub.js';

export interface TestRun extends RunPorts {
  readonly bus: TestHub['bus'];
  readonly log: TestHub['log'];
  readonly briefs: TestHub['briefs'];
  /** What is on the disk, by path. */
  readonly files: Map<string, string>;
  /** Every write that changed something. */
  readonly written: string[];
}

export interface TestRunOptions extends TestHubOptions {
  readonly files?: Map<string, string>;
}

/** Everything that a run needs, in memory, with a repository that is a map of files. */
export async function aRunHub(options: TestRunOptions = {}): Promise<TestRun> {
  const hub = await aHub(options);
  const files = options.files ?? new Map<string, string>();
  const written: string[] = [];
  return {
    ...hub,
    files,
    written,
    settings: {
      autonomy: {
        scopeChanges: 'requires_approval',
        architectureDecisions: 'requires_approval',
        dependencyModifications: 'automated',
      },
      fallbackMs: 300_000,
      isHeadless: false,
    },
    renew: () => {},
    paths: {
      exists: async (path) => files.has(path),
      isNameOfFile: async (name) => [...files.keys()].some((path) => path === name || path.endsWith(`/${name}`)),
    },
    artifacts: {
      read: async (paths) =>
        paths.flatMap((path) => {
          const content = files.get(path);
          return content === undefined ? [] : [{ path, content }];
        }),
      write: async ({ path, content }) => {
        if (path.startsWith('..')) throw new AgentXError('INVALID_INPUT', `'${path}' is outside.`, { path });
        if (files.get(path) !== content) written.push(path);
        files.set(path, content);
        return path;
      },
    },
    retryMs: 0,
  };
}

/** Steps with only the fields that matter to a test; the title is the id. */
export function steps(...tables: readonly Readonly<Record<string, unknown>>[]): LocatedWorkflow {
  return aWorkflow(tables.map((step) => ({ title: step.id, ...step })));
}
