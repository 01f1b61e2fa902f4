import * as z from 'zod/mini';
import { AgentXError } from '../../protocol/errors.js';
import { beginningOf, endOf } from '../../protocol/limits.js';
import { showWord } from '../first-lines.js';
import { runProgram } from '../program.js';
import { type Tool, tool } from './tool.js';

export interface CommandToolOptions {
  /** What the user allows: each the exact words of a command; a last word `*` stands for any further words. */
  readonly allowed: readonly (readonly string[])[];
  readonly cwd: string;
  /** Without anything named like a secret. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutSeconds: number;
}

const MAX_SHOWN = 20_000;

/** Only what the user's configuration names, without a shell. */
export function runCommand({ allowed, cwd, env, timeoutSeconds }: CommandToolOptions): Tool {
  const allowedCommands = allowed.map((words) => words.map(showWord).join(' '));
  return tool({
    name: 'run_command',
    description:
      `Runs a command in the repository and returns its output. Allowed, word by word: ${allowedCommands.join('; ')}. ` +
      'A last * stands for further words. There is no shell.',
    input: z.object({
      command: z.array(z.string()).check(z.minLength(1), z.describe('The program and its arguments, a word each.')),
    }),
    startsProgram: true,
    run: async ({ command }, { state, signal }) => {
      if (!allowed.some((words) => isAllowed(command, words))) throw refused(command, allowedCommands);
      // The program must find the files that the model believes to have written.
      if (state.parts.artifacts.length > 0) return { handsOver: true };
      const { end, stdout, stderr, isCut, rest } = await runProgram({
        command,
        cwd,
        env,
        input: '',
        timeoutSeconds,
        ...(signal === undefined ? {} : { signal }),
      }).catch((error: unknown) => {
        throw new AgentXError('INVALID_INPUT', `The command could not be started: ${String(error)}`);
      });
      signal?.throwIfAborted();
      const output = [`${stdout.toString('utf8')}${rest}`, stderr].filter((part) => part.trim() !== '').join('\n');
      const cut = isCut || output.length > MAX_SHOWN ? `\n[cut: the last ${MAX_SHOWN} characters are shown]` : '';
      return { result: `${sentenceOf(end)}\n${endOf(output, MAX_SHOWN)}${cut}` };
    },
  });
}

function isAllowed(command: readonly string[], words: readonly string[]): boolean {
  const isOpen = words.at(-1) === '*' && words.length > 1;
  const fixedWords = isOpen ? words.slice(0, -1) : words;
  if (isOpen ? command.length < fixedWords.length : command.length !== fixedWords.length) return false;
  return fixedWords.every((word, index) => command[index] === word);
}

function sentenceOf(end: Awaited<ReturnType<typeof runProgram>>['end']): string {
  if (end === 'timeout') return 'It took too long and was ended.';
  if (end === 'aborted') return 'It was broken off.';
  return 'code' in end ? `Exit code ${end.code}.` : `Ended by ${end.signal}.`;
}

function refused(command: readonly string[], allowedCommands: readonly string[]): AgentXError {
  const what = beginningOf(command.map(showWord).join(' '), 200);
  return new AgentXError(
    'UNAUTHORIZED',
    `The command '${what}' is not allowed. Allowed: ${allowedCommands.join('; ')}.`,
    {
      command: what,
    },
  );
}
