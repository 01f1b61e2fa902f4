import type { Runner, TurnOptions } from '../ports/runner.js';
import type { Brief } from '../protocol/brief.js';
import type { Reply } from '../protocol/reply.js';
import { agentError } from './agent-error.js';
import { errorCode } from './error-code.js';
import { showWord } from './first-lines.js';
import { redactor } from './model/redact.js';
import { parseReply } from './parse-reply.js';
import { type ProgramResult, runProgram } from './program.js';
import { turnEnvironment } from './turn-environment.js';

const DEFAULT_TIMEOUT_SECONDS = 600;

export interface CommandRunnerOptions {
  /** The program and its arguments. No shell interprets them. */
  readonly command: readonly string[];
  /** The folder in which the program is started; a relative path to it starts here too. */
  readonly cwd: string;
  /** The same for one issue, where it has a folder of its own. */
  readonly placeOf?: (issueNumber: number) => Promise<string>;
  /** The `.agentx` folder, for programs that call `agentx` themselves. */
  readonly root: string;
  readonly timeoutSeconds?: number;
  /** Given to the program and never shown: it holds secrets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An agent that is a program: started once per turn, with the brief on its stdin and the reply on its stdout. */
export function commandRunner(options: CommandRunnerOptions): Runner {
  return { run: (brief, turn) => takeTurn(options, brief, turn) };
}

async function takeTurn(
  options: CommandRunnerOptions,
  brief: Brief,
  { signal, turn, onStderr }: TurnOptions = {},
): Promise<Reply> {
  const timeoutSeconds = options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const program = showWord(options.command[0] ?? '');
  const cwd = (await options.placeOf?.(brief.issue.number)) ?? options.cwd;
  const details = { agent: brief.agent, program };
  const result = await runProgram({
    command: options.command,
    cwd,
    env: { ...options.env, ...turnEnvironment(brief, { root: options.root, turn }) },
    input: JSON.stringify(brief),
    timeoutSeconds,
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    const why = whyNotStarted(errorCode(error), cwd);
    throw agentError(`Agent '${brief.agent}' could not start ${program}: ${why}.`, '', details, { cause: error });
  });

  const redact = redactor(options.env);
  const stderr = redact(result.stderr);
  if (stderr.trim() !== '') onStderr?.(stderr);
  const failure = describeFailure(result, timeoutSeconds);
  if (failure === undefined) {
    const { stdout, isCut, rest } = result;
    return parseReply(stdout, { who: `Agent '${brief.agent}'`, isCut, rest });
  }
  const output = stderr.trim() === '' ? redact(`${result.stdout.toString('utf8')}${result.rest}`) : stderr;
  throw agentError(`Agent '${brief.agent}' failed: ${program} ${failure}.`, output, { ...details, end: result.end });
}

export function describeFailure({ end }: Pick<ProgramResult, 'end'>, timeoutSeconds: number): string | undefined {
  if (end === 'aborted') return 'was ended, with its children, because its caller no longer waits';
  if (end === 'timeout') return `took longer than ${timeoutSeconds} s and was ended, with its children`;
  if ('signal' in end) return `was ended by ${end.signal}`;
  return end.code === 0 ? undefined : `exited with code ${end.code}`;
}

/** Leaves out the system's own message: Node puts the offending argument or variable into some of them. */
function whyNotStarted(code: string | undefined, cwd: string): string {
  if (code === 'ENOENT') return `there is no such program, or no folder ${cwd} to start it in`;
  if (code === 'EACCES') return 'it may not be executed';
  return `the system said ${code ?? 'nothing'}`;
}
