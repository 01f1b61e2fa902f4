import { surroundings } from '../app/environment.js';

/** Whether a person at a terminal can be asked, rather than an agent or a script. */
export function canAsk({ isJson, isQuiet }: { readonly isJson: boolean; readonly isQuiet: boolean }): boolean {
  const { agent, env } = surroundings();
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true && env.TERM !== 'dumb';
  return isTerminal && !isJson && !isQuiet && agent === undefined;
}
