import { createInterface } from 'node:readline/promises';
import type { Output } from './output.js';

/** Whether a person sees what was printed and the question, which goes to stderr. */
export function canConfirm({ isJson, isTerminal }: Pick<Output, 'isJson' | 'isTerminal'>): boolean {
  return isTerminal && !isJson && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on the terminal. An empty line is what `otherwise` says; Ctrl-C and Ctrl-D are a no. */
export async function confirm(question: string, otherwise: boolean): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closing = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
    const answer = await Promise.race([terminal.question(question), closing]);
    // They leave the cursor behind the question.
    if (answer === undefined) process.stderr.write('\n');
    if (answer === undefined) return false;
    return answer.trim() === '' ? otherwise : /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
