#!/usr/bin/env node
import { Command, CommanderError, Option } from 'commander';
import { type App, createApp } from '../app/create-app.js';
import { surroundings, wantsColour } from '../app/environment.js';
import { findRoot } from '../app/find-root.js';
import { AgentXError } from '../protocol/errors.js';
import { plainText } from '../render/plain-text.js';
import { registerAsk } from './ask/register.js';
import { registerClarify } from './clarify/register.js';
import type { Action, CommandLine, Register } from './command-line.js';
import { registerCompletion } from './completion/register.js';
import { registerDemo } from './demo/register.js';
import { registerHook } from './hook/register.js';
import { registerInbox } from './inbox/register.js';
import { registerInit } from './init/register.js';
import { registerIssue } from './issue/register.js';
import { createOutput } from './output.js';
import { registerReady } from './ready/register.js';
import { registerState } from './state/register.js';
import { terminalPaint } from './terminal.js';
import { registerTrust } from './trust/register.js';

const NOUNS: readonly Register[] = [
  registerInit,
  registerTrust,
  registerIssue,
  registerAsk,
  registerClarify,
  registerInbox,
  registerReady,
  registerState,
  registerHook,
  registerCompletion,
  registerDemo,
];

const BAD_USAGE = 2;

/** Known for certain once a command line was understood; until then, what it looks like. */
let reportsJson = process.argv.includes('--json');

function createProgram(): Command {
  const program = new Command('agentx')
    .description('Agents ask instead of guessing.')
    .option('--root <dir>', 'the folder that holds .agentx; otherwise the nearest one above')
    .option('--json', 'data for programs on stdout, errors as JSON on stderr')
    .option('--quiet', 'no talk on stderr')
    // What follows a command's name belongs to the command, even if it looks like an option of ours.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
    .exitOverride();
  program.configureOutput({ outputError: () => {} });
  for (const register of NOUNS) register(program, run);
  return program;
}

/** Gives a command its body. Options that every command knows may stand before or after its name. */
function run(command: Command, action: Action): void {
  for (const flags of ['--json', '--quiet', '--root <dir>']) command.addOption(new Option(flags).hideHelp());
  command.action(async () => {
    process.exitCode = (await action(commandLine(command), ...command.args)) ?? 0;
  });
}

function commandLine(command: Command): CommandLine {
  const { json = false, quiet = false, root } = command.optsWithGlobals();
  reportsJson = json;
  const { cwd, env, agent, principal } = surroundings();
  let app: App | undefined;
  const paint = terminalPaint(wantsColour(process.stdout));
  return {
    app: () => {
      app ??= createApp({ root: findRoot({ cwd, root, env }), env });
      return app;
    },
    out: createOutput({ isJson: json, isQuiet: quiet, paint }),
    cwd,
    agent,
    principal,
  };
}

function report(error: unknown): void {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  const known =
    error instanceof CommanderError
      ? new AgentXError('INVALID_INPUT', usageMessage(error.message), { usage: error.code })
      : error;
  if (!(known instanceof AgentXError)) throw known;
  process.stderr.write(reportsJson ? `${JSON.stringify({ error: known })}\n` : `error: ${plainText(known.message)}\n`);
  process.exitCode = error instanceof CommanderError ? BAD_USAGE : known.exitCode;
}

/** Commander's complaint as a sentence, with where to look. */
function usageMessage(complaint: string): string {
  const [problem = '', guess] = complaint.replace(/^error: /, '').split(/\n\(Did you mean (.*)\?\)$/);
  const sentence = problem.charAt(0).toUpperCase() + problem.slice(1).replace(/\.$/, '');
  return `${sentence}. ${guess ? `Did you mean ${guess}?` : 'Try: agentx --help'}`;
}

// Whoever reads us through a pipe may have seen enough (`| head`): that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

createProgram().parseAsync().catch(report);
