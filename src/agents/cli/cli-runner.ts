import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Runner, TurnOptions } from '../../ports/runner.js';
import type { Brief } from '../../protocol/brief.js';
import type { AgentPermission } from '../../protocol/config.js';
import type { AgentXError } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/reply.js';
import { agentError } from '../agent-error.js';
import { describeFailure } from '../command.js';
import { firstLines } from '../first-lines.js';
import { redactedTexts, redactor } from '../model/redact.js';
import { parseReply } from '../parse-reply.js';
import { type ProgramResult, runProgram } from '../program.js';
import { turnEnvironment } from '../turn-environment.js';
import {
  type AgentCli,
  type CliHome,
  type CliOutcome,
  type Invocation,
  NOTHING_YET,
  type TurnServer,
} from './agent-cli.js';
import { changedSince } from './changed-files.js';
import { cliPrompt } from './cli-prompt.js';
import { Conversation } from './conversation.js';
import { findSession, findTranscript, keepLine } from './find-transcript.js';
import { eventIn, type JsonEvent } from './json-event.js';

const DEFAULT_TIMEOUT_SECONDS = 600;

export interface CliRunnerOptions {
  readonly cli: AgentCli;
  /** The folder in which agents work on an issue. */
  readonly placeOf: (issueNumber: number) => Promise<string>;
  /** The `.agentx` folder. */
  readonly root: string;
  /** The program and arguments that start AgentX itself. */
  readonly agentx: readonly string[];
  readonly permission: AgentPermission;
  readonly model?: string | undefined;
  readonly args: readonly string[];
  readonly timeoutSeconds?: number;
  /** Given to the program and never shown: it holds secrets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An agent that is an agent CLI, started headless once per turn, with our MCP server. */
export function cliRunner(options: CliRunnerOptions): Runner {
  return { run: (brief, turn = {}) => takeTurn(options, brief, turn) };
}

interface Attempt {
  readonly brief: Brief;
  readonly turn: TurnOptions;
  readonly cwd: string;
  readonly conversation: Conversation;
  /** The session that goes on. */
  readonly session: string | undefined;
}

interface Attempted {
  readonly outcome: CliOutcome;
  readonly result: ProgramResult;
}

async function takeTurn(options: CliRunnerOptions, brief: Brief, turn: TurnOptions): Promise<Reply> {
  const cwd = await options.placeOf(brief.issue.number);
  const conversation = new Conversation(options.cli.name, turn);
  // An agent that answers may change nothing.
  const before = brief.kind === 'work' ? await conversation.snapshot(cwd) : undefined;
  const { session } = conversation.state;
  const first = await attempt(options, { brief, turn, cwd, conversation, session });
  const { outcome, result } = isLost(first, session)
    ? await attempt(options, { brief, turn, cwd, conversation, session: undefined })
    : first;
  const transcriptFile = transcriptOf(options, conversation.state.session);
  await conversation.end({ isDone: isAnswered(outcome), transcriptFile });
  turn.onReport?.({
    changed: before === undefined ? [] : await changedSince(cwd, before),
    denied: outcome.denied.map((call) => deniedSentence(options, call)),
    ...(transcriptFile === undefined ? {} : { transcriptFile }),
  });
  if (result.stderr.trim() !== '') turn.onStderr?.(redactor(options.env)(result.stderr));
  if (!isAnswered(outcome)) throw failure(options, brief, { outcome, result });
  return parseReply(outcome.answer ?? '', { who: `Agent '${brief.agent}'` });
}

/** Exit codes say little after a signal; what counts is the last event. */
function isAnswered({ answer, error, isFinal }: CliOutcome): boolean {
  return isFinal && error === undefined && answer !== undefined;
}

/**
 * The session is gone from the CLI's own files, or was never written because everything died at its start. A CLI that has
 * opened it failed for another reason, such as a model that does not answer, and can go on with it later.
 */
function isLost({ outcome, result }: Attempted, session: string | undefined): boolean {
  const isOver = typeof result.end === 'object' && 'code' in result.end;
  return session !== undefined && outcome.session !== session && isOver && !outcome.isBegun && !isAnswered(outcome);
}

async function attempt(
  options: CliRunnerOptions,
  { brief, turn, cwd, conversation, session }: Attempt,
): Promise<Attempted> {
  const { cli, env, permission: configuredPermission, model, args, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = options;
  const permission = brief.kind === 'answer' ? 'read' : configuredPermission;
  const folder = mkdtempSync(join(tmpdir(), 'agentx-turn-'));
  try {
    const turnEnv = { ...turnEnvironment(brief, { root: options.root, turn: turn.turn }), AGENTX_HEADLESS: '1' };
    const chosenSession = { id: session ?? randomUUID(), isNew: session === undefined };
    if (chosenSession.isNew && cli.choosesSession) await conversation.keepSession(chosenSession.id);
    const server = serverOf(options, turnEnv);
    const cliTurn = { permission, model, args, server, session: chosenSession, folder, env, readFile, listFolder };
    const invocation = cli.invoke(cliTurn);
    const prompt = join(folder, 'prompt.txt');
    const words = cliPrompt(brief, { permission, isResumed: !chosenSession.isNew });
    prepare({ ...invocation, files: { ...invocation.files, [prompt]: words } });
    const since = Date.now();
    const keepPrinted = printedLines(options, brief);
    let outcome = NOTHING_YET;
    const result = await runProgram({
      command: [cli.program, ...invocation.args],
      cwd,
      env: { ...env, ...turnEnv, ...invocation.env },
      inputFile: prompt,
      timeoutSeconds,
      isTied: true,
      onLine: (line) => {
        const event = eventIn(line);
        if (event === undefined) return;
        outcome = cli.read(outcome, event);
        if (outcome.session === undefined) return;
        conversation.noteSession(outcome.session);
        keepPrinted(outcome.session, event);
      },
      ...(turn.signal === undefined ? {} : { signal: turn.signal }),
    });
    if (cli.readOutput !== undefined) outcome = printedOutcome(cli.readOutput, result);
    const sessionsPlace = cli.sessions?.(homeOf(options));
    const sessionOnDisk =
      sessionsPlace === undefined ? undefined : findSession(sessionsPlace, since, [words.trim(), realpathSync(cwd)]);
    if (sessionOnDisk !== undefined) conversation.noteSession(sessionOnDisk);
    const usage = outcome.usage ?? cli.readUsage?.(cliTurn, transcriptOf(options, sessionOnDisk));
    if (usage !== undefined) conversation.noteUsage(usage, cli.totals);
    return { outcome, result };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without events, only the end of the program tells whether its output is whole. */
function printedOutcome(readOutput: NonNullable<AgentCli['readOutput']>, result: ProgramResult): CliOutcome {
  const { stdout, stderr, end, isCut } = result;
  const outcome = readOutput({ stdout: stdout.toString('utf8'), stderr });
  if (isCut) return { ...outcome, error: 'its answer is cut off after 1 MiB' };
  return typeof end === 'object' && 'code' in end && end.code === 0 ? outcome : { ...outcome, isFinal: false };
}

function prepare({ files = {}, links = {}, folders = [] }: Invocation): void {
  for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content, { mode: 0o600 });
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, path);
}

function serverOf(
  { agentx, env }: CliRunnerOptions,
  turnEnv: Readonly<Record<string, string | undefined>>,
): TurnServer {
  const [command = process.execPath, ...args] = agentx;
  const ownVariables = Object.entries(turnEnv).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const passedNames = Object.keys(env).filter(
    (name) => env[name] !== undefined && /^[A-Za-z_]\w*$/.test(name) && !(name in turnEnv),
  );
  // With this variable, the program of an editor is Node.
  const asNode = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return {
    command,
    args: [...args, 'mcp'],
    env: { ...Object.fromEntries(ownVariables), ...asNode },
    passed: passedNames,
  };
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function transcriptOf(options: CliRunnerOptions, session: string | undefined): string | undefined {
  if (session === undefined) return undefined;
  return findTranscript(options.cli.transcript?.(session, homeOf(options)) ?? printedFile(options, session));
}

function homeOf({ env }: CliRunnerOptions): CliHome {
  return { home: env.HOME || homedir(), env };
}

/** Keeps what a CLI prints that has no file of its own, for memory. An answer is in the ledger, and needs no other place. */
function printedLines(options: CliRunnerOptions, { kind }: Brief): (session: string, event: JsonEvent) => void {
  if (options.cli.transcript !== undefined || kind === 'answer') return () => {};
  const redact = redactor(options.env);
  return (session, event) => keepLine(printedFile(options, session), JSON.stringify(redactedTexts(event, redact)));
}

function printedFile({ cli, root }: CliRunnerOptions, session: string): string {
  return join(root, 'state', 'transcripts', `${cli.name}-${session.replace(/[^\w-]/g, '_')}.jsonl`);
}

function deniedSentence({ cli, permission }: CliRunnerOptions, call: string): string {
  const what = firstLines(call).replaceAll('\n', ' ');
  return `${cli.name} was not allowed: ${what} (its permission is "${permission}")`;
}

/** A CLI without a login, a key or the model says so in words of its own, or tries for ever. */
function setUp({ name, login }: AgentCli, model: string | undefined): string {
  const other = model === undefined ? '' : ` If it has no model "${model}": change it in .agentx/config.toml.`;
  return ` If ${name} is not set up here: ${login}.${other}`;
}

function failure(
  { cli, model, env, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: CliRunnerOptions,
  { agent }: Brief,
  { outcome, result }: Attempted,
): AgentXError {
  const { error, trouble } = outcome;
  const end = describeFailure(result, timeoutSeconds) ?? 'ended without an answer';
  const why = error === undefined ? end : 'failed';
  const message = [error, error === trouble ? undefined : trouble].filter((line) => line !== undefined).join('\n');
  const details = { agent, program: cli.program, end: result.end };
  const todo = outcome.isBegun ? '' : setUp(cli, model);
  return agentError(
    `Agent '${agent}' failed: ${cli.name} ${why}.${todo}`,
    redactor(env)(message === '' ? result.stderr : message),
    details,
  );
}
