import { dirname, join } from 'node:path';
import { inProcessRunner } from '../agents/in-process.js';
import type { EditorModels } from '../agents/model/editor-models.js';
import { runnerFor } from '../agents/runner-for.js';
import { openTrust, type Trust } from '../agents/trust.js';
import type { BasePorts, RoutePorts } from '../hub/ports.js';
import type { InboxPorts } from '../inbox/ports.js';
import type { Recall } from '../ports/recall.js';
import type { RunnerFunction } from '../ports/runner.js';
import { agentNamesOf, type Config } from '../protocol/config.js';
import { parseAgentName } from '../protocol/ids.js';
import type { RunPorts } from '../run/ports.js';
import { layoutOf } from '../storage/files/layout.js';
import { openArtifacts } from './artifacts.js';
import { loadConfig, type OuterSettings } from './config.js';
import { launcher } from './launcher.js';
import { openPaths } from './paths.js';
import { openRepositoryFiles } from './repository-files.js';
import { openRoles } from './roles.js';
import { openPlaces, openWorkTrees } from './work-trees.js';
import { openWorkflows } from './workflows.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Engine {
  readonly config: Config;
  /** For questions to agents and humans. */
  readonly ports: RoutePorts & InboxPorts;
  /** With what only a run needs. */
  readonly runPorts: () => RunPorts;
  readonly trust: Trust;
}

export interface EngineOptions {
  readonly config: Config;
  readonly env: Environment;
  /** Agents that the embedding program carries out itself; they come before those of the configuration. */
  readonly runners?: Readonly<Record<string, RunnerFunction>>;
  readonly signal?: AbortSignal;
  readonly recall?: Recall;
  readonly editor?: EditorModels | undefined;
  readonly outer?: OuterSettings | undefined;
}

/** What the engine works with beyond the store: everything that the configuration decides. */
export function openEngine(
  root: string,
  base: BasePorts,
  { config, env, runners = {}, signal, recall, editor, outer }: EngineOptions,
): Engine {
  const repository = dirname(root);
  const own = new Map(Object.entries(runners).map(([name, run]) => [parseAgentName(name), inProcessRunner(run)]));
  const agents = [...new Set([...agentNamesOf(config), ...own.keys()])];
  const { state } = layoutOf(root);
  const placeOf = openPlaces({ repository, state }, base.store.runs);
  const trust = openTrust({ repository, env });
  const withSettings = (settings: Config) => ({
    settings,
    runnerFor: runnerFor({
      config: settings,
      cwd: repository,
      root,
      trust,
      env,
      placeOf,
      filesIn: (folder) => openRepositoryFiles({ repository: folder }),
      log: base.log,
      agentx: launcher,
      editor,
      ...(recall === undefined ? {} : { memory: recall }),
    }),
  });
  let presentState = withSettings(config);
  const artifacts = openArtifacts({ placeOf, scratch: join(state, 'scratch') });
  const ports: Engine['ports'] = {
    ...base,
    agents,
    projectId: config.project,
    remembers: config.memory.enabled,
    retryMs: config.clarify.retry_seconds * 1000,
    runnerFor: (agent) => own.get(parseAgentName(agent)) ?? presentState.runnerFor(agent),
    ...(config.notify.length === 0
      ? {}
      : { noteNews: async (id: string) => (await import('../notify/note-news.js')).noteNews(base.store, id) }),
    ...(signal === undefined ? {} : { signal }),
    workflows: openWorkflows({ root, agents, warn: (message) => base.log.warn(message) }),
    artifacts,
    writeAnswers: async (issueNumber, workflow) =>
      (await import('../hub/write-answers.js')).writeAnswers({ ...ports, artifacts }, issueNumber, workflow),
    paths: openPaths({ placeOf }),
    roles: openRoles({ root }),
    ...(recall === undefined ? {} : { recall }),
    humans: {
      ask: async (asking) => (await import('../inbox/ask.js')).askHumans(ports, asking),
    },
    settings: {
      get autonomy() {
        return presentState.settings.autonomy;
      },
      get fallbackMs() {
        return presentState.settings.human.fallback_minutes * 60_000;
      },
      isHeadless: env.AGENTX_HEADLESS === '1',
    },
  };
  const runPorts = (): RunPorts => ({
    ...ports,
    artifacts,
    renew: () => {
      presentState = withSettings(loadConfig(root, outer));
    },
    workTrees: openWorkTrees({ repository, state, isWanted: () => presentState.settings.run.isolation === 'worktree' }),
    limits: {
      get maxCost() {
        return presentState.settings.run.max_cost;
      },
      get maxTokens() {
        return presentState.settings.run.max_tokens;
      },
    },
  });
  return { config, ports, runPorts, trust };
}
