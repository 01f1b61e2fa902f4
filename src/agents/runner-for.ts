import { resolve } from 'node:path';
import type { Files } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Recall } from '../ports/recall.js';
import type { Runner, RunnerFor } from '../ports/runner.js';
import type { Brief } from '../protocol/brief.js';
import { contextTokensOf } from '../protocol/config.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';
import type { AgentsConfig, AgentTable } from './agents-config.js';
import { AGENT_CLIS } from './cli/agent-clis.js';
import { cliOf, installHint } from './cli/find-cli.js';
import { isProgram } from './find-program.js';
import { humanRunner } from './human.js';
import type { EditorModels } from './model/editor-models.js';
import { requireKey } from './model/provider.js';
import { scriptRunner } from './script.js';
import { needsApproval, type Trust } from './trust.js';

const RUNNERS = ['command', 'model', 'editor', 'script', 'human', ...Object.keys(AGENT_CLIS)];

export interface RunnerForOptions {
  readonly config: AgentsConfig;
  /** The repository: scripts are looked up here. */
  readonly cwd: string;
  /** The folder in which agents work on an issue; by default the repository. */
  readonly placeOf?: (issueNumber: number) => Promise<string>;
  /** The `.agentx` folder. */
  readonly root: string;
  readonly trust: Pick<Trust, 'requireApproval'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What models may see of a folder in which they work, and of the project's memory. */
  readonly filesIn?: (folder: string) => Files;
  readonly memory?: Recall;
  readonly log?: Log;
  /** The program and arguments that start AgentX itself, for agents that get its MCP server. */
  readonly agentx: () => readonly string[];
  /** The models of the editor in which this process runs, if it does. */
  readonly editor?: EditorModels | undefined;
}

/** Picks a runner by the `runner` key of the agent's table. Agents with the same script share its turns. */
export function runnerFor(options: RunnerForOptions): RunnerFor {
  const scripts = new Map<string, Runner>();
  return (name) => {
    const agent = parseAgentName(name);
    const table = options.config.agents[agent];
    if (table === undefined) throw wrong(agent, 'has no table');
    switch (table.runner) {
      case 'command':
        return command(agent, table, options);
      case 'script':
        return script(agent, table, options, scripts);
      case 'human':
        return humanRunner();
      case 'model':
        return model(agent, table, options);
      case 'editor':
        return editor(agent, table, options);
      default:
        if (cliOf(table.runner) !== undefined) return agentCli(agent, table, options);
        throw wrong(agent, `has the runner '${table.runner}', which is not in this version: change it`);
    }
  };
}

function command(
  agent: string,
  table: AgentTable,
  { config, cwd, root, trust, env, placeOf }: RunnerForOptions,
): Runner {
  if (table.command?.[0] === undefined || table.command[0] === '') {
    throw wrong(agent, "has the runner 'command' but no command");
  }
  trust.requireApproval(config, agent);
  const timeout = table.timeout_seconds === undefined ? {} : { timeoutSeconds: table.timeout_seconds };
  const place = placeOf === undefined ? {} : { placeOf };
  const command = { command: table.command, cwd, root, env: { ...env, ...table.env }, ...place, ...timeout };
  return loaded(async () => (await import('./command.js')).commandRunner(command));
}

/** A runner that is loaded when the agent takes a turn: most commands ask one agent, or none. */
function loaded(load: () => Promise<Runner>): Runner {
  return { run: async (brief, turn) => (await load()).run(brief, turn) };
}

/** An agent whose program is missing is refused before any work is done. */
function agentCli(agent: string, table: AgentTable, options: RunnerForOptions): Runner {
  const { config, cwd, root, trust, agentx, placeOf = async () => cwd } = options;
  const cli = cliOf(table.runner);
  if (cli === undefined) throw wrong(agent, `has the runner '${table.runner}'`);
  const env = { ...options.env, ...table.env };
  if (!isProgram(cli.program, { cwd, env })) {
    const problem = `Agent '${agent}' has the runner '${cli.name}', and ${installHint(cli)}`;
    throw new AgentXError('CONFIG_ERROR', problem, { agent, runner: cli.name, program: cli.program });
  }
  trust.requireApproval(config, agent);
  const { model, args = [], permission = 'edit', timeout_seconds } = table;
  const timeout = timeout_seconds === undefined ? {} : { timeoutSeconds: timeout_seconds };
  const started = { cli, root, agentx: agentx(), placeOf, model, args, permission, env, ...timeout };
  return loaded(async () => (await import('./cli/cli-runner.js')).cliRunner(started));
}

const DEFAULT_TIMEOUT_SECONDS = 600;

/**
 * The packages that speak to models are slow to load, so they are loaded when the agent takes a turn. A missing key is
 * an error before any work is done.
 */
function model(agent: string, table: AgentTable, options: RunnerForOptions): Runner {
  if (!table.model) throw wrong(agent, "has the runner 'model' but no model", 'model = "openai/gpt-5"');
  const { optionsIn } = modelOptionsOf(agent, table, options, table.model);
  requireKey(agent, { model: table.model, env: options.env });
  return {
    run: async (brief, turn) => {
      const { modelRunner } = await import('./model/model-runner.js');
      return modelRunner(await optionsIn(brief)).run(brief, turn);
    },
  };
}

/** The same loop, tools and limits with a model that the editor offers. */
function editor(agent: string, table: AgentTable, options: RunnerForOptions): Runner {
  const { editor: models, config } = options;
  if (models === undefined) {
    const problem =
      `Agent '${agent}' has the runner 'editor', which speaks to a model of VS Code and works only inside the editor. ` +
      'Run the issue there (@agentx in the chat, or AgentX: Run Issue), or give the agent another runner in .agentx/config.toml.';
    throw new AgentXError('CONFIG_ERROR', problem, { agent, runner: 'editor', file: '.agentx/config.toml' });
  }
  const { optionsIn, timeoutSeconds } = modelOptionsOf(agent, table, options, table.model ?? 'editor');
  return {
    run: async (brief, turn) => {
      const [model, { modelRunner }, { editorSpeak }] = await Promise.all([
        models({ agent, model: table.model, timeoutMs: timeoutSeconds * 1000 }),
        import('./model/model-runner.js'),
        import('./model/editor-speak.js'),
      ]);
      const window = config.agents[agent]?.context_tokens ?? model.window;
      return modelRunner({ ...(await optionsIn(brief)), speak: editorSpeak(model), window }).run(brief, turn);
    },
  };
}

/** What a model works with, in the folder of its issue. */
function modelOptionsOf(agent: string, table: AgentTable, options: RunnerForOptions, name: string) {
  const { base_url: baseUrl, timeout_seconds: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = table;
  const { config, root, trust, filesIn, memory, log, env, cwd, placeOf = async () => cwd } = options;
  if (filesIn === undefined) throw new Error('A model needs the files of the repository.');
  if (needsApproval(table)) trust.requireApproval(config, agent);
  const modelOptions = {
    model: name,
    baseUrl,
    env,
    root,
    memory,
    log,
    timeoutSeconds,
    commands: table.commands,
    price: config.prices?.[name],
    window: contextTokensOf(config, agent),
    maxSteps: table.max_steps,
    maxTurnTokens: table.max_turn_tokens,
  };
  const optionsIn = async ({ issue }: Brief) => {
    const place = await placeOf(issue.number);
    return { ...modelOptions, cwd: place, files: filesIn(place) };
  };
  return { optionsIn, timeoutSeconds };
}

function script(
  agent: string,
  table: AgentTable,
  { cwd }: Pick<RunnerForOptions, 'cwd'>,
  scripts: Map<string, Runner>,
): Runner {
  if (!table.script) throw wrong(agent, "has the runner 'script' but no script", 'script = "demo.toml"');
  const file = resolve(cwd, table.script);
  const runner = scripts.get(file) ?? scriptRunner({ file });
  scripts.set(file, runner);
  return runner;
}

function wrong(agent: string, problem: string, line = 'command = ["node", "agent.mjs"]'): AgentXError {
  const example = `[agents.${agent}]\nrunner = "${line.split(' ')[0]}"\n${line}`;
  return new AgentXError(
    'CONFIG_ERROR',
    `Agent '${agent}' ${problem} in .agentx/config.toml. Allowed runners: ${RUNNERS.join(', ')}. For example:\n${example}`,
    { agent, file: '.agentx/config.toml', allowed: RUNNERS },
  );
}
