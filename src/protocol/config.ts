import * as z from 'zod/mini';
import { type Autonomy, AutonomyLevel } from './autonomy.js';
import { AGENT_PRECEDENCE, AgentName, KNOWN_AGENTS, parseAgentName, RESERVED_NAMES } from './ids.js';
import type { Shape } from './shape.js';
import { ONLY_FILES, ONLY_LOCAL } from './storage-mode.js';

/* What `.agentx/config.toml` may contain. Field names are those of the file; defaults are filled in. */

const DAY_SECONDS = 24 * 60 * 60;

/**
 * A number from a range; timers and dates overflow far above these, so that a typing error does not become "at once".
 */
function numberWithin(what: string, { min, max }: { readonly min: number; readonly max: number }) {
  const message = `must be a number of ${what} from ${min} to ${max}`;
  return z.number(message).check(z.gte(min, message), z.lte(max, message));
}

function wholeNumberWithin({ min, max }: { readonly min: number; readonly max: number }) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).check(z.gte(min, message), z.lte(max, message));
}

const Text = z.string().check(z.minLength(1, 'must not be empty'));
const Words = z
  .array(z.string('must be text in quotes'), 'must be a list of words such as ["node", "architect.mjs"]')
  .check(z.minLength(1, 'must name a program: a list of words such as ["node", "architect.mjs"]'));
const HttpUrl = z
  .string()
  .check(z.regex(/^https?:\/\/\S+$/, 'must be an http or https address such as "http://127.0.0.1:11434/v1"'));
const StoreUrl = z.literal('', ONLY_FILES);
const Repository = z
  .string()
  .check(z.regex(/^[\w.-]+\/[\w.-]+$/, 'must name a repository as owner/name, such as "octocat/shop"'));

const EnvironmentName = z.string().check(z.regex(/^[A-Za-z_]\w*$/, 'must be a name such as LOG_LEVEL'));

export const RunnerKind = z.enum([
  'command',
  'script',
  'human',
  'model',
  'claude',
  'codex',
  'gemini',
  'opencode',
  'copilot',
]);
export type RunnerKind = z.infer<typeof RunnerKind>;

type RunnerKey = 'command' | 'script' | 'model' | 'base_url' | 'env';
interface RunnerKeys {
  readonly needs: readonly RunnerKey[];
  readonly takes: readonly RunnerKey[];
}

const AGENT_CLI: RunnerKeys = { needs: [], takes: ['model', 'env'] };
const RUNNER_KEYS: Readonly<Record<RunnerKind, RunnerKeys>> = {
  command: { needs: ['command'], takes: ['command', 'env'] },
  script: { needs: ['script'], takes: ['script'] },
  human: { needs: [], takes: [] },
  model: { needs: ['model'], takes: ['model', 'base_url'] },
  claude: AGENT_CLI,
  codex: AGENT_CLI,
  gemini: AGENT_CLI,
  opencode: AGENT_CLI,
  copilot: AGENT_CLI,
};

const agentFields = {
  runner: RunnerKind,
  /** Program and arguments; started without a shell. */
  command: z.exactOptional(Words),
  /** A TOML file of turns, relative to the repository. */
  script: z.exactOptional(Text),
  model: z.exactOptional(Text),
  base_url: z.exactOptional(HttpUrl),
  timeout_seconds: z._default(numberWithin('seconds', { min: 0.001, max: 7 * DAY_SECONDS }), 600),
  /** The size of its context window. */
  context_tokens: z.exactOptional(wholeNumberWithin({ min: 1000, max: 100_000_000 })),
  /** Added to the program's environment. */
  env: z.exactOptional(z.record(EnvironmentName, z.string('must be text in quotes'))),
};

export const AgentConfig = z.strictObject(agentFields).check((payload) => {
  for (const [key, message] of runnerProblems(payload.value)) {
    payload.issues.push({ code: 'custom', message, path: [key], input: payload.value });
  }
});
export type AgentConfig = Shape<typeof AgentConfig>;

function runnerProblems(agent: { readonly runner: RunnerKind; readonly [key: string]: unknown }): [string, string][] {
  const { needs, takes } = RUNNER_KEYS[agent.runner];
  const problems: [string, string][] = [];
  for (const key of ['command', 'script', 'model', 'base_url', 'env'] as const) {
    const isGiven = agent[key] !== undefined;
    if (!isGiven && needs.includes(key)) problems.push([key, `must be given for runner "${agent.runner}"`]);
    if (isGiven && !takes.includes(key)) {
      const allowed = ['runner', ...takes, 'timeout_seconds', 'context_tokens'].join(', ');
      problems.push([key, `is not for runner "${agent.runner}", which takes ${allowed}`]);
    }
  }
  if (agent.runner === 'model' && typeof agent.model === 'string') {
    problems.push(...modelProblems(agent.model, agent.base_url));
  }
  return problems;
}

function modelProblems(model: string, baseUrl: unknown): [string, string][] {
  const [, provider] = /^(openai|anthropic|compatible)\/./.exec(model) ?? [];
  if (provider === undefined) return [['model', 'must be openai/..., anthropic/... or compatible/...']];
  if (provider === 'compatible' && baseUrl === undefined) {
    return [['base_url', 'must be given for a compatible/... model, such as "http://127.0.0.1:11434/v1"']];
  }
  return [];
}

const PRESETS = {
  confirm_all: {
    scopeChanges: 'requires_approval',
    architectureDecisions: 'requires_approval',
    dependencyModifications: 'requires_approval',
  },
  major_only: {
    scopeChanges: 'requires_approval',
    architectureDecisions: 'requires_approval',
    dependencyModifications: 'automated',
  },
  full: {
    scopeChanges: 'automated',
    architectureDecisions: 'automated',
    dependencyModifications: 'automated',
  },
} as const satisfies Record<string, Autonomy>;

const AutonomySection = z.strictObject({
  level: z._default(z.enum(['confirm_all', 'major_only', 'full']), 'major_only'),
  scope_changes: z.exactOptional(AutonomyLevel),
  architecture_decisions: z.exactOptional(AutonomyLevel),
  dependency_modifications: z.exactOptional(AutonomyLevel),
});

// zod drops a `__proto__` key silently; here it is an unknown agent like any other.
const NoPrototypeKey = z.unknown().check(
  z.refine((value) => typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__'), {
    message: 'must not have the key __proto__',
  }),
);
const AgentTables = z.record(AgentName, AgentConfig).check((payload) => {
  for (const name of Object.keys(payload.value)) {
    const message = nameProblem(name, payload.value);
    if (message !== undefined) payload.issues.push({ code: 'custom', message, path: [name], input: payload.value });
  }
});

function nameProblem(name: string, tables: Readonly<Record<string, unknown>>): string | undefined {
  if (RESERVED_NAMES.includes(name)) {
    const others = RESERVED_NAMES.filter((other) => other !== name).join(', ');
    return `is a reserved name, as are ${others}: give the agent another one. A person has runner = "human" and a name like any agent`;
  }
  const real = parseAgentName(name);
  if (real === name || tables[real] === undefined) return undefined;
  return `is another name of '${real}', which has a table too: keep one of them`;
}

export const ConfigFile = z.strictObject({
  mode: z._default(z.literal('local', ONLY_LOCAL), 'local'),
  project: z.exactOptional(Text),
  agents: z._default(z.pipe(NoPrototypeKey, AgentTables), {}),
  autonomy: z.prefault(AutonomySection, {}),
  human: z.prefault(
    z.strictObject({ fallback_minutes: z._default(numberWithin('minutes', { min: 0, max: 365 * 24 * 60 }), 5) }),
    {},
  ),
  memory: z.prefault(
    z.strictObject({
      enabled: z._default(z.boolean(), true),
      max_tokens: z._default(wholeNumberWithin({ min: 0, max: 10_000_000 }), 20_000),
    }),
    {},
  ),
  github: z.prefault(
    z.strictObject({
      repo: z.exactOptional(Repository),
      mention: z._default(z.array(Text, 'must be a list of user names such as ["octocat"]'), []),
    }),
    {},
  ),
  server: z.prefault(z.strictObject({ port: z._default(wholeNumberWithin({ min: 0, max: 65_535 }), 4820) }), {}),
  store: z.prefault(z.strictObject({ url: z._default(StoreUrl, '') }), {}),
  clarify: z.prefault(
    z.strictObject({ retry_seconds: z._default(numberWithin('seconds', { min: 0, max: DAY_SECONDS }), 30) }),
    {},
  ),
});
export type ConfigFile = Shape<typeof ConfigFile>;

/** The settings in force: defaults are filled in, presets are resolved, agents have their real names. */
export interface Config extends Omit<ConfigFile, 'project' | 'autonomy'> {
  readonly project: string;
  readonly autonomy: Autonomy;
}

/** `project` is the name of the project if the file does not give one. */
export function resolveConfig(file: ConfigFile, { project }: { readonly project: string }): Config {
  const agents = Object.entries(file.agents).map(([name, agent]) => [parseAgentName(name), agent] as const);
  return {
    ...file,
    project: file.project ?? project,
    agents: Object.fromEntries(agents),
    autonomy: resolveAutonomy(file.autonomy),
  };
}

/**
 * Every agent that a workflow may name, the known ones and those the user added, in the order that decides where a
 * workflow does not: upstream first, then as the file lists them.
 */
export function agentNamesOf(config: Pick<Config, 'agents'>): readonly string[] {
  return [...new Set([...AGENT_PRECEDENCE, ...Object.keys(config.agents), ...KNOWN_AGENTS])];
}

const DEFAULT_CONTEXT_TOKENS = 200_000;

export function contextTokensOf({ agents }: Pick<Config, 'agents'>, agent: string): number {
  return agents[agent]?.context_tokens ?? DEFAULT_CONTEXT_TOKENS;
}

function resolveAutonomy(section: ConfigFile['autonomy']): Autonomy {
  const preset = PRESETS[section.level];
  return {
    scopeChanges: section.scope_changes ?? preset.scopeChanges,
    architectureDecisions: section.architecture_decisions ?? preset.architectureDecisions,
    dependencyModifications: section.dependency_modifications ?? preset.dependencyModifications,
  };
}
