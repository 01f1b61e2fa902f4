import { AgentCliName } from '../../protocol/config.js';
import type { AgentCli } from './agent-cli.js';
import { AGENT_CLIS } from './agent-clis.js';

export function cliOf(runner: string): AgentCli | undefined {
  const name = AgentCliName.options.find((option) => option === runner);
  return name === undefined ? undefined : AGENT_CLIS[name];
}

/** What to do about a program that is missing, as the end of a sentence. */
export function installHint({ program, package: name, login }: AgentCli): string {
  return `there is no program '${program}' on your PATH. Install it with: npm install -g ${name}, then ${login}.`;
}
