import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until.js';
import { agentxCommand } from './agentx.js';

/** A config table for an agent that is a program of the repository. */
export function commandAgent(agent: string, program = `${agent}.mjs`): string {
  return `[agents.${agent}]\nrunner = "command"\ncommand = ["${process.execPath}", "${program}"]\n`;
}

/** The beginning of an agent's program: its brief, and the files through which it speaks with the test. */
const PROLOGUE = `
  import { existsSync, appendFileSync, readFileSync } from 'node:fs';
  import { spawnSync } from 'node:child_process';
  const brief = JSON.parse(readFileSync(0, 'utf8'));
  const parent = process.ppid;
  const reply = (value) => process.stdout.write(JSON.stringify(value));
  /** Waits until the test lets it go; its parent may be killed meanwhile. */
  const until = async (...names) => {
    while (!names.some((name) => existsSync(name))) {
      if (process.ppid !== parent) process.exit(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  /** Asks as an agent that calls us from its own turn. */
  const ask = (...args) => {
    const [program, ...before] = ${JSON.stringify(agentxCommand)};
    return spawnSync(program, [...before, 'ask', ...args], { encoding: 'utf8' });
  };
`;

export function agentProgram(body: string): string {
  return `${PROLOGUE}\n${body}`;
}

/** Reports the question, waits for the test, then answers. */
export function patientAgent(answer: string): string {
  return agentProgram(`
    appendFileSync('asked', brief.clarification.id + '\\n');
    await until('go');
    reply({ answer: ${JSON.stringify(answer)} });
  `);
}

export async function untilThere(cwd: string, name: string): Promise<void> {
  await until(() => existsSync(join(cwd, name)));
}

export function letGo(cwd: string): void {
  writeFileSync(join(cwd, 'go'), '');
}
