import { resolve } from 'node:path';
import type { Runner, RunnerFor } from '../ports/runner.js';
import { AgentXError } from '../protocol/errors.js';
import { parseAgentName } from '../protocol/ids.js';
import type { AgentsConfig, AgentTable } from './agents-config.js';
import { commandRunner } from './command.js';
import { humanRunner } from './human.js';
import { scriptRunner } from './script.js';
import type { Trust } from './trust.js';

const RUNNERS = ['command', 'script', 'human'];

export interface RunnerForOptions {
  readonly config: AgentsConfig;
  /** The repository: programs are started here and scripts are looked up here. */
  readonly cwd: string;
  /** The `.agentx` folder. */
  readonly root: string;
  readonly trust: Pick<Trust, 'requireApproval'>;
  readonly env: Readonly<Record<string, string | undefined>>;
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
      default:
        throw wrong(agent, `has the runner '${table.runner}', which is not in this version: change it`);
    }
  };
}

function command(agent: string, table: AgentTable, { config, cwd, root, trust, env }: RunnerForOptions): Runner {
  if (table.command?.[0] === undefined || table.command[0] === '') {
    throw wrong(agent, "has the runner 'command' but no command");
  }
  trust.requireApproval(config, agent);
  const timeout = table.timeout_seconds === undefined ? {} : { timeoutSeconds: table.timeout_seconds };
  return commandRunner({ command: table.command, cwd, root, env: { ...env, ...table.env }, ...timeout });
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
