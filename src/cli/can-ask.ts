import { surroundings } from '../app/environment.js';

/** Whether there is a person at a terminal who may be asked: no agent, no script. */
export function canAsk({ isJson, isQuiet }: { readonly isJson: boolean; readonly isQuiet: boolean }): boolean {
  const { agent, env } = surroundings();
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true && env.TERM !== 'dumb';
  return isTerminal && !isJson && !isQuiet && agent === undefined;
}
