import type { Command } from 'commander';
import type { App } from '../app/app.js';
import type { AppOptions } from '../app/create-app.js';
import type { Output } from './output.js';

/** What a command works with. */
export interface CommandLine {
  /** Finds the `.agentx` folder, or takes that of `root`. Throws NOT_FOUND, with what to do, if there is none. */
  app(options?: Pick<AppOptions, 'anyStore'> & Partial<Pick<AppOptions, 'root'>>): App;
  /** The app, if the command has opened it. */
  openedApp(): App | undefined;
  readonly out: Output;
  readonly cwd: string;
  /** Set if an agent that we started is calling us. */
  readonly agent: string | undefined;
  /** The issue that the agent was started for. */
  readonly issue: string | undefined;
  /** The clarification that the agent is to answer. */
  readonly clarification: string | undefined;
  /** The turn of a run in which the agent works. */
  readonly turn: string | undefined;
  /** The step of a run that the agent was started for. */
  readonly step: string | undefined;
  /** The person at the keyboard. */
  readonly principal: string;
  /** Whether the environment says that no person is there. */
  readonly isHeadless: boolean;
}

/** The body of a command. It returns the exit code if that is not 0. */
export type Action = (line: CommandLine, ...args: readonly string[]) => Promise<number | undefined>;

/**
 * Adds the commands of one noun. It holds only names, options and help; the code of a command is loaded when it is
 * called: `run(command, async (line, id) => (await import('./show.js')).show(line, id))`.
 */
export type Register = (program: Command, run: (command: Command, action: Action) => void) => void;
