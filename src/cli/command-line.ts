import type { Command } from 'commander';
import type { App, AppOptions } from '../app/create-app.js';
import type { Output } from './output.js';

/** What a command works with. */
export interface CommandLine {
  /** Finds the `.agentx` folder, in `root` where that is given; NOT_FOUND, with what to do, where there is none. */
  app(options?: Pick<AppOptions, 'anyStore'> & Partial<Pick<AppOptions, 'root'>>): App;
  readonly out: Output;
  readonly cwd: string;
  /** Set when an agent that we started is calling us. */
  readonly agent: string | undefined;
  /** The issue that it was started for. */
  readonly issue: string | undefined;
  /** What that agent was asked and has not answered yet. */
  readonly clarification: string | undefined;
  /** The turn of a run in which it is at work. */
  readonly turn: string | undefined;
  /** The step of a run that it was started for. */
  readonly step: string | undefined;
  /** Who is at the keyboard. */
  readonly principal: string;
}

/** The body of a command: its exit code, where that is not 0. */
export type Action = (line: CommandLine, ...args: readonly string[]) => Promise<number | undefined>;

/**
 * Adds the commands of one noun. Only names, options and help stand there; what a command does is loaded when it is
 * called: `run(command, async (line, id) => (await import('./show.js')).show(line, id))`.
 */
export type Register = (program: Command, run: (command: Command, action: Action) => void) => void;
