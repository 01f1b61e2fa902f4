import { userInfo } from 'node:os';
import { AgentXError } from '../protocol/errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the process was given from outside, read in one place. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Environment;
  /** The agent on whose behalf a program runs, if we started it: a guard against mix-ups, not a proof. */
  readonly agent: string | undefined;
  /** The issue that this agent was started for. */
  readonly issue: string | undefined;
  /** The step of a run that this agent was started for. */
  readonly step: string | undefined;
  /** The clarification that this agent is answering. */
  readonly clarification: string | undefined;
  /** The turn of a run that this agent is taking. */
  readonly turn: string | undefined;
  /** The person at the keyboard, for provenance. */
  readonly principal: string;
  /** Whether no person is there. */
  readonly isHeadless: boolean;
}

export function surroundings(env: Environment = process.env): Surroundings {
  return {
    cwd: currentFolder(),
    env,
    agent: env.AGENTX_AGENT || undefined,
    issue: env.AGENTX_ISSUE || undefined,
    step: env.AGENTX_STEP || undefined,
    clarification: env.AGENTX_CLARIFICATION || undefined,
    turn: env.AGENTX_TURN || undefined,
    principal: env.USER || userName(),
    isHeadless: env.AGENTX_HEADLESS === '1',
  };
}

/** A shell may be in a folder that was removed meanwhile. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new AgentXError('NOT_FOUND', 'The folder in which you are is gone. Change to another one: cd', {}, { cause });
  }
}

/** Colour only on a terminal, unless the user says otherwise: NO_COLOR wins over FORCE_COLOR. */
export function wantsColour(stream: { readonly isTTY?: boolean }, environment: Environment = process.env): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0';
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // A process without an entry in the list of users, as in some containers.
  }
}
