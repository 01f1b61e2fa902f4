#!/usr/bin/env node
import { Command, CommanderError, Option } from 'commander';
import type { App } from '../app/app.js';
import { createApp } from '../app/create-app.js';
import { surroundings, wantsColour } from '../app/environment.js';
import { findRoot } from '../app/find-root.js';
import { systemRefusal } from '../app/system-refusal.js';
import { suggestion } from '../protocol/did-you-mean.js';
import { AgentXError } from '../protocol/errors.js';
import { shellWord } from '../protocol/shell-word.js';
import { refuseBrokenBytes } from './broken-bytes.js';
import type { Action, CommandLine, Register } from './command-line.js';
import { errorText } from './error-text.js';
import { exitCodesOf } from './help/exit-codes.js';
import { fitHelp } from './help/fit-help.js';
import { watchOptions } from './option-slips.js';
import { createOutput, errorWidth, HINT, terminalPaint } from './output.js';
import { noSuchOption, pathOf, refuseVerb } from './refuse-verb.js';

/** What adds each noun, in the order of help. */
const NOUNS: ReadonlyMap<string, () => Promise<Register>> = new Map(
  Object.entries({
    init: async () => (await import('./init/register.js')).registerInit,
    trust: async () => (await import('./trust/register.js')).registerTrust,
    issue: async () => (await import('./issue/register.js')).registerIssue,
    run: async () => (await import('./run/register.js')).registerRun,
    watch: async () => (await import('./watch/register.js')).registerWatch,
    ask: async () => (await import('./ask/register.js')).registerAsk,
    clarify: async () => (await import('./clarify/register.js')).registerClarify,
    inbox: async () => (await import('./inbox/register.js')).registerInbox,
    notify: async () => (await import('./notify/register.js')).registerNotify,
    assumptions: async () => (await import('./assumptions/register.js')).registerAssumptions,
    memory: async () => (await import('./memory/register.js')).registerMemory,
    ready: async () => (await import('./ready/register.js')).registerReady,
    state: async () => (await import('./state/register.js')).registerState,
    sync: async () => (await import('./sync/register.js')).registerSync,
    serve: async () => (await import('./serve/register.js')).registerServe,
    mcp: async () => (await import('./mcp/register.js')).registerMcp,
    hook: async () => (await import('./hook/register.js')).registerHook,
    digest: async () => (await import('./digest/register.js')).registerDigest,
    doctor: async () => (await import('./doctor/register.js')).registerDoctor,
    completion: async () => (await import('./completion/register.js')).registerCompletion,
    demo: async () => (await import('./demo/register.js')).registerDemo,
    help: async () => (await import('./help/register.js')).registerHelp,
  }),
);

/** These two list all the others. */
const ABOUT_ALL = ['help', 'completion'];

const FIRST_STEPS = `
First steps:
  agentx demo                 watch agents ask each other, and you
  agentx init                 make a .agentx folder in your own repository; say in
                              its config.toml who works
  agentx mcp install claude   let the agent that you use ask through it; also
                              codex, gemini, cursor, ...
  agentx issue create -t "Health endpoint" -l type:feature
  agentx run 1                carry it out; you are asked only what agents cannot
                              settle
  agentx inbox                what they ask you
  agentx run --help           every command has examples`;

/** Set by the build. */
declare const AGENTX_VERSION: string;

const BAD_USAGE = 2;

/** Certain once the command line is parsed; until then a guess. */
let reportsJson = process.argv.includes('--json');

/** Says how the commands that were named find the folder of the command line, if they would not find it from here. */
let noteRoot = (): void => {};

/** The command that refused its arguments. */
let refusing: Command | undefined;

/** Only the noun that the command line begins with: a command pays for what it does. Otherwise all of them. */
function nounsFor(word = ''): Promise<readonly Register[]> {
  const only = ABOUT_ALL.includes(word) ? undefined : NOUNS.get(word);
  return Promise.all((only === undefined ? [...NOUNS.values()] : [only]).map((load) => load()));
}

async function createProgram(): Promise<Command> {
  const program = new Command('agentx')
    .description('Agents ask instead of guessing.')
    .option('--root <dir>', 'the folder that holds .agentx; otherwise the nearest one above')
    .option('--json', 'data for programs on stdout, errors as JSON on stderr')
    .option('--quiet', 'no messages on stderr')
    // What follows a command's name belongs to the command, even if it looks like an option of ours.
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', 'what it does, with examples')
    .version(AGENTX_VERSION, '-V, --version', 'the version of this program')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, subcommandTerm, minWidthToWrap: 12 })
    .exitOverride();
  program.addHelpText('after', FIRST_STEPS).addHelpText('afterAll', ({ command }) => exitCodesOf(command));
  program.configureOutput({
    outputError: () => {},
    writeOut: (text) => process.stdout.write(fitHelp(text, (process.stdout.isTTY && process.stdout.columns) || 80)),
  });
  for (const register of await nounsFor(process.argv[2])) register(program, run);
  for (const noun of program.commands) if (noun.commands.length > 0) acceptAnything(noun);
  return acceptAnything(program).action(() => refuseVerb(program));
}

/** The global options, without those of the noun above a verb, and without what only the program itself can tell. */
function visibleGlobalOptions({ parent }: Command): Option[] {
  if (parent === null) return [];
  if (parent.parent !== null) return visibleGlobalOptions(parent);
  return parent.options.filter(({ long }) => long !== '--version');
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
  const refuseSlips = watchOptions(command);
  command.exitOverride((error) => {
    refusing = command;
    throw error;
  });
  command.action(async () => {
    refuseSlips();
    refuseBrokenBytes(process.argv.slice(2));
    const line = commandLine(command);
    if (command.commands.length > 0 && command.args.length > 0) refuseVerb(command);
    try {
      process.exitCode = (await action(line, ...command.args)) ?? 0;
      const problem = isNoWork(command) ? undefined : await line.openedApp()?.settingsProblem(AGENTX_VERSION);
      if (problem !== undefined) line.out.warn(problem);
      if (line.out.hasHint()) noteRoot();
    } finally {
      const app = isNoWork(command) ? undefined : line.openedApp();
      if (app?.hasChannels() === true) await (await import('./notify/hand-over.js')).handOver(line);
      if (app?.mode === 'github') await (await import('./sync/beside.js')).syncBeside(app, line.cwd);
    }
  });
}

/** These tell people themselves, speak to GitHub, or look at what is wrong. */
function isNoWork(command: Command): boolean {
  return /^agentx (?:notify|sync|doctor|completion|help)\b/.test(pathOf(command));
}

/**
 * Lets the noun's own body see a misspelt verb, so that the error is about the verb and not about its options. Called
 * after the verbs are made, because they copy settings of their noun.
 */
function acceptAnything(noun: Command): Command {
  return noun.allowUnknownOption().allowExcessArguments();
}

function commandLine(command: Command): CommandLine & { readonly openedApp: () => App | undefined } {
  const { json = false, quiet = false, root } = command.optsWithGlobals();
  reportsJson = json;
  if (root === '') throw new AgentXError('INVALID_INPUT', '--root is empty. Name a folder, or leave --root out.');
  const { cwd, env, agent, issue, step, clarification, turn, principal, isHeadless } = surroundings();
  let app: App | undefined;
  const out = createOutput({ isJson: json, isQuiet: quiet, paint: terminalPaint(wantsColour(process.stdout)) });
  if (root !== undefined && !json) {
    noteRoot = () => {
      if (!isFoundWithout(root, { cwd, env })) out.note(`Add to these commands: --root ${shellWord(root)}`);
    };
  }
  return {
    app: ({ root: namedRoot = root, ...options } = {}) => {
      app ??= createApp({ root: findRoot({ cwd, root: namedRoot, env }), env, ...options });
      return app;
    },
    openedApp: () => app,
    out,
    cwd,
    agent,
    issue,
    step,
    clarification,
    turn,
    principal,
    isHeadless,
  };
}

function isFoundWithout(root: string, { cwd, env }: Pick<ReturnType<typeof surroundings>, 'cwd' | 'env'>): boolean {
  try {
    return findRoot({ cwd, env }) === findRoot({ cwd, root, env });
  } catch {
    return false;
  }
}

function report(error: unknown): void {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  const ourError = error instanceof CommanderError ? usageError(error) : (systemRefusal(error) ?? error);
  if (!(ourError instanceof AgentXError)) throw ourError;
  const text = errorText(ourError, { isJson: reportsJson, width: errorWidth() });
  process.stderr.write(`${text}\n`);
  process.exitCode = error instanceof CommanderError ? BAD_USAGE : ourError.exitCode;
  if (HINT.test(text) && !text.includes(' --root ')) noteRoot();
}

/** Commander's complaint as a sentence, with where to look. */
function usageError({ code, message }: CommanderError): AgentXError {
  const [, option] = /^error: unknown option '(.*)'$/s.exec(message) ?? [];
  if (option !== undefined && refusing !== undefined) return noSuchOption(refusing, option);
  const choice = choiceProblem(message);
  const problem = choice ?? `${message.replace(/^error: /, '').replace(/\.$/, '')}${whereItIs(code)}`;
  const sentence = problem.charAt(0).toUpperCase() + problem.slice(1);
  const see = `See: ${refusing === undefined ? 'agentx' : pathOf(refusing)} --help`;
  return new AgentXError('INVALID_INPUT', `${sentence}. ${see}`, { usage: code });
}

const CHOICE =
  /^error: (?:command-argument value '(?<word>.*)' is invalid for argument '(?<argument>.*)'|option '.*?(?<option>--[\w-]+).*' argument '(?<value>.*)' is invalid)\. Allowed choices are (?<choices>.*)\.$/s;

/** A word that is none of the choices, with the choice that was probably meant. */
function choiceProblem(message: string): string | undefined {
  const { word, argument, option, value = word, choices } = CHOICE.exec(message)?.groups ?? {};
  if (value === undefined || choices === undefined) return undefined;
  const shownValue = value.slice(0, 80);
  const refusal = option === undefined ? `'${shownValue}' is no ${argument}.` : `${option} cannot be '${shownValue}'.`;
  return `${refusal}${suggestion(value, choices.split(', '))}`.replace(/\.$/, '');
}

/** Where a missing argument is, if an option has taken it. */
function whereItIs(code: string): string {
  const greedy = refusing?.options.find(
    (option) => option.variadic && refusing?.getOptionValue(option.attributeName()) !== undefined,
  );
  if (code !== 'commander.missingArgument' || greedy === undefined) return '';
  return `: ${greedy.long} takes every word behind it. Put the argument first`;
}

// A reader of the pipe may stop early (`| head`): that is no error.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit();
  report(new AgentXError('STORE_ERROR', `What was asked for could not be written to stdout: ${message}.`, { code }));
  process.exit();
});

// What is said beside the data may go unread: the work goes on.
process.stderr.on('error', () => {});

// Without arguments the program shows its help.
createProgram()
  .then((program) => program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, '--help']))
  .catch(report);
