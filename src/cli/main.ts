#!/usr/bin/env node
import { Command, CommanderError, Option } from 'commander';
import type { App } from '../app/app.js';
import { createApp } from '../app/create-app.js';
import { surroundings, wantsColour } from '../app/environment.js';
import { findRoot } from '../app/find-root.js';
import { systemRefusal } from '../app/system-refusal.js';
import { AgentXError } from '../protocol/errors.js';
import { registerAsk } from './ask/register.js';
import { registerAssumptions } from './assumptions/register.js';
import { registerClarify } from './clarify/register.js';
import type { Action, CommandLine, Register } from './command-line.js';
import { registerCompletion } from './completion/register.js';
import { registerDemo } from './demo/register.js';
import { registerDigest } from './digest/register.js';
import { registerDoctor } from './doctor/register.js';
import { errorText, errorWidth } from './error-text.js';
import { exitCodesOf } from './help/exit-codes.js';
import { registerHelp } from './help/register.js';
import { registerHook } from './hook/register.js';
import { registerInbox } from './inbox/register.js';
import { registerInit } from './init/register.js';
import { registerIssue } from './issue/register.js';
import { createOutput } from './output.js';
import { registerReady } from './ready/register.js';
import { pathOf, refuseVerb } from './refuse-verb.js';
import { registerRun } from './run/register.js';
import { registerServe } from './serve/register.js';
import { registerState } from './state/register.js';
import { terminalPaint } from './terminal.js';
import { registerTrust } from './trust/register.js';
import { registerWatch } from './watch/register.js';

const NOUNS: readonly Register[] = [
  registerInit,
  registerTrust,
  registerIssue,
  registerRun,
  registerWatch,
  registerAsk,
  registerClarify,
  registerInbox,
  registerAssumptions,
  registerReady,
  registerState,
  registerServe,
  registerHook,
  registerDigest,
  registerDoctor,
  registerCompletion,
  registerDemo,
  registerHelp,
];

const FIRST_STEPS = `
First steps:
  agentx demo                          watch agents ask each other, and you, in a temporary repository
  agentx init                          make a .agentx folder in your own repository; say in its config.toml who works
  agentx issue create -t "Health endpoint" -l type:feature
  agentx run 1                         carry it out; you are asked only what agents cannot settle
  agentx inbox                         what they ask you
  agentx run --help                    every command has examples`;

/** Set by the build. */
declare const AGENTX_VERSION: string;

const BAD_USAGE = 2;

/** Certain once the command line is parsed; until then a guess. */
let reportsJson = process.argv.includes('--json');

/** The command that refused its arguments. */
let refusing: Command | undefined;

function createProgram(): Command {
  const program = new Command('agentx')
    .description('Agents ask instead of guessing.')
    .option('--root <dir>', 'the folder that holds .agentx; otherwise the nearest one above')
    .option('--json', 'data for programs on stdout, errors as JSON on stderr')
    .option('--quiet', 'no talk on stderr')
    // What follows a command's name belongs to the command, even if it looks like an option of ours.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpOption('-h, --help', 'what it does, with examples')
    .version(AGENTX_VERSION, '-V, --version', 'the version of this program')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, subcommandTerm, minWidthToWrap: 12 })
    .exitOverride();
  program.addHelpText('after', FIRST_STEPS).addHelpText('afterAll', ({ command }) => exitCodesOf(command));
  program.configureOutput({ outputError: () => {} });
  for (const register of NOUNS) register(program, run);
  for (const noun of program.commands) if (noun.commands.length > 0) acceptAnything(noun);
  return acceptAnything(program).action(() => refuseVerb(program));
}

/** The global options, without those of the noun above a verb. */
function visibleGlobalOptions({ parent }: Command): Option[] {
  if (parent === null) return [];
  return parent.parent === null ? [...parent.options] : visibleGlobalOptions(parent);
}

/** Leaves out `[options]`: every command has some. */
function subcommandTerm(command: Command): string {
  const names = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...names].join(' ');
}

/** Gives a command its body. Global options may stand before or after its name. */
function run(command: Command, action: Action): void {
  for (const flags of ['--json', '--quiet', '--root <dir>']) command.addOption(new Option(flags).hideHelp());
  command.exitOverride((error) => {
    refusing = command;
    throw error;
  });
  command.action(async () => {
    const line = commandLine(command);
    if (command.commands.length > 0 && command.args.length > 0) refuseVerb(command);
    process.exitCode = (await action(line, ...command.args)) ?? 0;
  });
}

/**
 * Lets the noun's own body see a misspelt verb, so that the error is about the verb and not about its options. Called
 * after the verbs are made, because they copy settings of their noun.
 */
function acceptAnything(noun: Command): Command {
  return noun.allowUnknownOption().allowExcessArguments();
}

function commandLine(command: Command): CommandLine {
  const { json = false, quiet = false, root } = command.optsWithGlobals();
  reportsJson = json;
  const { cwd, env, agent, issue, step, clarification, turn, principal } = surroundings();
  let app: App | undefined;
  const paint = terminalPaint(wantsColour(process.stdout));
  return {
    app: ({ root: namedRoot = root, ...options } = {}) => {
      app ??= createApp({ root: findRoot({ cwd, root: namedRoot, env }), env, ...options });
      return app;
    },
    out: createOutput({ isJson: json, isQuiet: quiet, paint }),
    cwd,
    agent,
    issue,
    step,
    clarification,
    turn,
    principal,
  };
}

function report(error: unknown): void {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  const ourError =
    error instanceof CommanderError
      ? new AgentXError('INVALID_INPUT', usageMessage(error.message), { usage: error.code })
      : (systemRefusal(error) ?? error);
  if (!(ourError instanceof AgentXError)) throw ourError;
  process.stderr.write(`${errorText(ourError, { isJson: reportsJson, width: errorWidth() })}\n`);
  process.exitCode = error instanceof CommanderError ? BAD_USAGE : ourError.exitCode;
}

/** Commander's complaint as a sentence, with where to look. */
function usageMessage(complaint: string): string {
  const [problem = '', guess] = complaint.replace(/^error: /, '').split(/\n\(Did you mean (.*)\?\)$/);
  const sentence = problem.charAt(0).toUpperCase() + problem.slice(1).replace(/\.$/, '');
  return `${sentence}. ${guess ? `Did you mean ${guess}?` : `See: ${refusing ? pathOf(refusing) : 'agentx'} --help`}`;
}

// A reader of the pipe may stop early (`| head`): that is no error.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit();
  report(new AgentXError('STORE_ERROR', `What was asked for could not be written to stdout: ${message}.`, { code }));
  process.exit();
});

// Without arguments the program shows its help.
createProgram()
  .parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, '--help'])
  .catch(report);
