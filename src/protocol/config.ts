import * as z from 'zod/mini';
import { type Autonomy, AutonomyLevel } from './autonomy.js';
import { AGENT_PRECEDENCE, AgentName, KNOWN_AGENTS, parseAgentName, RESERVED_NAMES } from './ids.js';
import { NotifyTable } from './notify.js';
import type { Shape } from './shape.js';
import { LOCAL_OR_GITHUB, ONLY_FILES } from './storage-mode.js';

/* What `.agentx/config.toml` may contain. Field names are those of the file; defaults are filled in. */

const DAY_SECONDS = 24 * 60 * 60;

/**
 * A number from a range; timers and dates overflow far above these, so that a typing error does not become "at once".
 */
function numberWithin(what: string, { min, max }: { readonly min: number; readonly max: number }) {
  const message = `must be a number of ${what} from ${min} to ${max}`;
  return z.number(message).check(z.gte(min, message), z.lte(max, message));
}

const WEIGHT = 'must be a number from 0 to 1';
const Weight = z.number(WEIGHT).check(z.gte(0, WEIGHT), z.lte(1, WEIGHT));

function wholeNumberWithin({ min, max }: { readonly min: number; readonly max: number }) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).check(z.gte(min, message), z.lte(max, message));
}

const Text = z.string().check(z.minLength(1, 'must not be empty'));
const Words = z
  .array(z.string('must be text in quotes'), 'must be a list of words such as ["node", "architect.mjs"]')
  .check(
    z.refine(([program = '']) => program.trim() !== '', {
      message: 'must name a program: a list of words such as ["node", "architect.mjs"]',
    }),
  );
const HttpUrl = z
  .string()
  .check(z.regex(/^https?:\/\/\S+$/, 'must be an http or https address such as "http://127.0.0.1:11434/v1"'));
const LoopbackUrl = HttpUrl.check(
  z.refine((address) => /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/.test(address), {
    message:
      'must be an address of this machine, such as "http://127.0.0.1:11434/v1"; another one in AGENTX_EMBEDDER_URL',
  }),
);
const StoreUrl = z.literal('', ONLY_FILES);
const Repository = z
  .string()
  .check(z.regex(/^[\w.-]+\/[\w.-]+$/, 'must name a repository as owner/name, such as "octocat/shop"'));

/** A person, or a team of an organisation. */
const Mentioned = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z\d](?:-?[A-Za-z\d]){0,38}(?:\/[\w.-]{1,100})?$/,
      'must be a user name such as "octocat", or a team such as "octo-org/reviewers", without @',
    ),
  );

const EnvironmentName = z.string().check(z.regex(/^[A-Za-z_]\w*$/, 'must be a name such as LOG_LEVEL'));

/** Agents with a command line of their own, which works headless. */
export const AgentCliName = z.enum(['claude', 'codex', 'copilot', 'gemini', 'qwen', 'opencode', 'continue']);
export type AgentCliName = z.infer<typeof AgentCliName>;

export const RunnerKind = z.enum(['command', 'script', 'human', 'model', 'editor', ...AgentCliName.options]);
export type RunnerKind = z.infer<typeof RunnerKind>;

type RunnerKey = (typeof RUNNER_KEY_NAMES)[number];
const RUNNER_KEY_NAMES = [
  'command',
  'script',
  'model',
  'base_url',
  'commands',
  'max_steps',
  'max_turn_tokens',
  'env',
  'args',
  'permission',
] as const;
/**
 * What the program of an agent may do: `read` the repository, `edit` its files, or everything that its user may
 * (`full`).
 */
export const AgentPermission = z.enum(['read', 'edit', 'full']);
export type AgentPermission = z.infer<typeof AgentPermission>;

interface RunnerKeys {
  readonly needs: readonly RunnerKey[];
  readonly takes: readonly RunnerKey[];
}

const AGENT_CLI: RunnerKeys = { needs: [], takes: ['model', 'permission', 'args', 'env'] };
const RUNNER_KEYS: Readonly<Record<RunnerKind, RunnerKeys>> = {
  command: { needs: ['command'], takes: ['command', 'env'] },
  script: { needs: ['script'], takes: ['script'] },
  human: { needs: [], takes: [] },
  model: { needs: ['model'], takes: ['model', 'base_url', 'commands', 'max_steps', 'max_turn_tokens'] },
  editor: { needs: [], takes: ['model', 'commands', 'max_steps', 'max_turn_tokens'] },
  claude: AGENT_CLI,
  codex: AGENT_CLI,
  copilot: AGENT_CLI,
  gemini: AGENT_CLI,
  qwen: AGENT_CLI,
  opencode: AGENT_CLI,
  continue: AGENT_CLI,
};

const agentFields = {
  runner: RunnerKind,
  /** Program and arguments; started without a shell. */
  command: z.exactOptional(Words),
  /** A TOML file of turns, relative to the repository. */
  script: z.exactOptional(Text),
  model: z.exactOptional(Text),
  base_url: z.exactOptional(HttpUrl),
  /** Further arguments of an agent's own command line. */
  args: z.exactOptional(
    z.array(z.string('must be text in quotes'), 'must be a list of words such as ["--max-turns", "50"]'),
  ),
  permission: z.exactOptional(AgentPermission),
  timeout_seconds: z._default(numberWithin('seconds', { min: 0.001, max: 7 * DAY_SECONDS }), 600),
  /** The size of its context window. */
  context_tokens: z.exactOptional(wholeNumberWithin({ min: 1000, max: 100_000_000 })),
  /** Commands that a model may run; each the words of one, without a shell. */
  commands: z.exactOptional(z.array(Words, 'must be a list of commands such as [["npm", "test"]]')),
  /** Replies of a model in one turn. */
  max_steps: z.exactOptional(wholeNumberWithin({ min: 1, max: 10_000 })),
  /** Tokens that a model may use in one turn. */
  max_turn_tokens: z.exactOptional(wholeNumberWithin({ min: 1000, max: 1_000_000_000 })),
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
  for (const key of RUNNER_KEY_NAMES) {
    const isGiven = agent[key] !== undefined;
    if (!isGiven && needs.includes(key)) problems.push([key, `must be given for runner "${agent.runner}"`]);
    if (isGiven && !takes.includes(key)) {
      const allowed = ['runner', ...takes, 'timeout_seconds', 'context_tokens'].join(', ');
      problems.push([key, `is not for runner "${agent.runner}", which takes ${allowed}`]);
    }
  }
  if (agent.runner === 'model' && typeof agent.model === 'string') {
    problems.push(...modelProblems(agent.model, agent.base_url));
  } else if (typeof agent.model === 'string' && agent.model.startsWith('-')) {
    // Options are args, which a person approves.
    problems.push([
      'model',
      `must be the name of a model. It begins with a dash: ${agent.runner} would take it for an option`,
    ]);
  }
  return problems;
}

function modelProblems(model: string, baseUrl: unknown): [string, string][] {
  const [, provider] = /^(openai|anthropic|google|compatible)\/./.exec(model) ?? [];
  if (provider === undefined) return [['model', 'must be openai/..., anthropic/..., google/... or compatible/...']];
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

const MAX_PRICE = 1_000_000;

/** For a million tokens, in the currency that the user counts in. */
const ModelPrice = z.strictObject({
  input: numberWithin('units for a million tokens', { min: 0, max: MAX_PRICE }),
  output: numberWithin('units for a million tokens', { min: 0, max: MAX_PRICE }),
  cached: z.exactOptional(numberWithin('units for a million tokens', { min: 0, max: MAX_PRICE })),
});

const configFields = {
  mode: z._default(z.enum(['local', 'github'], LOCAL_OR_GITHUB), 'local'),
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
      weights: z.prefault(
        z.strictObject({
          recency: z._default(Weight, 0.4),
          recall: z._default(Weight, 0.2),
          keywords: z._default(Weight, 0.4),
        }),
        {},
      ),
      /** Off unless it is given. */
      embedder: z.exactOptional(z.strictObject({ base_url: LoopbackUrl, model: Text })),
    }),
    {},
  ),
  github: z.prefault(
    z.strictObject({
      repo: z.exactOptional(Repository),
      mention: z._default(z.array(Mentioned, 'must be a list of user names such as ["octocat"]'), []),
      /** Where digests go that are discussions; the first category that takes them without it. */
      discussion_category: z.exactOptional(Text),
    }),
    {},
  ),
  server: z.prefault(z.strictObject({ port: z._default(wholeNumberWithin({ min: 0, max: 65_535 }), 4820) }), {}),
  store: z.prefault(z.strictObject({ url: z._default(StoreUrl, '') }), {}),
  /** By model, as agents name it. */
  prices: z._default(z.pipe(NoPrototypeKey, z.record(Text, ModelPrice)), {}),
  run: z.prefault(
    z.strictObject({
      /** `worktree`: each run has a git work tree and a branch of its own. */
      isolation: z._default(z.enum(['none', 'worktree']), 'none'),
      /** 0 is no limit. Beyond it a human is asked. */
      max_cost: z._default(numberWithin('units', { min: 0, max: 1_000_000_000 }), 0),
      max_tokens: z._default(wholeNumberWithin({ min: 0, max: 1_000_000_000_000 }), 0),
    }),
    {},
  ),
  /** How people are reached. */
  notify: z._default(z.array(NotifyTable, 'must be written as [[notify]], one table for each channel'), []),
  clarify: z.prefault(
    z.strictObject({ retry_seconds: z._default(numberWithin('seconds', { min: 0, max: DAY_SECONDS }), 30) }),
    {},
  ),
};

/** A limit of cost would never be reached by a model whose price is unknown, and no price is guessed. */
export const ConfigFile = z.strictObject(configFields).check((payload) => {
  const { run, agents, prices, mode, github } = payload.value;
  if (mode === 'github' && github.repo === undefined) {
    const message = 'must be given for mode = "github", as owner/name: [github] repo = "octocat/shop"';
    payload.issues.push({ code: 'custom', message, path: ['github', 'repo'], input: github.repo });
  }
  if (run.max_cost === 0) return;
  const modelsUsed = Object.values(agents).flatMap(({ runner, model }) => (runner === 'model' && model ? [model] : []));
  const unpricedModel = modelsUsed.find((model) => prices[model] === undefined);
  if (unpricedModel === undefined) return;
  const message = `needs the price of ${unpricedModel}: [prices."${unpricedModel}"] with input and output, for a million tokens`;
  payload.issues.push({ code: 'custom', message, path: ['run', 'max_cost'], input: run.max_cost });
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
    notify: file.notify.map((table) => (table.agents ? { ...table, agents: table.agents.map(parseAgentName) } : table)),
  };
}

/**
 * Every agent that a workflow may name: the known ones and those that the user added. Their order decides where a
 * workflow does not: upstream first, then as the file lists them.
 */
export function agentNamesOf(config: Pick<Config, 'agents'>): readonly string[] {
  return [...new Set([...AGENT_PRECEDENCE, ...Object.keys(config.agents), ...KNOWN_AGENTS])];
}

const DEFAULT_CONTEXT_TOKENS = 200_000;

export function contextTokensOf(
  { agents }: { readonly agents: Readonly<Record<string, { readonly context_tokens?: number | undefined }>> },
  agent: string,
): number {
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
