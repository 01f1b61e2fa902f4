import { dirname } from 'node:path';
import { runnerFor } from '../agents/runner-for.js';
import { openTrust, type Trust } from '../agents/trust.js';
import type { HubPorts } from '../hub/ports.js';
import { agentNamesOf, type Config } from '../protocol/config.js';
import { FileLockManager } from '../storage/files/json-file-lock.js';
import { openArtifacts } from './artifacts.js';
import { loadConfig } from './config.js';
import { openWorkflows } from './workflows.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Engine {
  readonly config: Config;
  readonly ports: HubPorts;
  readonly trust: Trust;
}

/** What the engine works with beyond the store: everything that reads the configuration. */
export function openEngine(
  root: string,
  base: Pick<HubPorts, 'store' | 'bus' | 'clock' | 'log'>,
  env: Environment,
): Engine {
  const config = loadConfig(root);
  const repository = dirname(root);
  const agents = agentNamesOf(config);
  const trust = openTrust({ repository, env, lock: new FileLockManager() });
  const ports: HubPorts = {
    ...base,
    agents,
    projectId: config.project,
    retryMs: config.clarify.retry_seconds * 1000,
    runnerFor: runnerFor({ config, cwd: repository, root, trust, env }),
    workflows: openWorkflows({ root, agents, warn: (message) => base.log.warn(message) }),
    artifacts: openArtifacts({ repository }),
  };
  return { config, ports, trust };
}
