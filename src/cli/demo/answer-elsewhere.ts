import { spawn } from 'node:child_process';
import { surroundings } from '../../app/environment.js';
import { AgentXError } from '../../protocol/errors.js';

export interface AnswerElsewhere {
  readonly root: string;
  readonly questionId: string;
  readonly text: string;
  readonly who: string;
}

/**
 * Answers in another process, as a colleague at another terminal would. If the answer comes too late, only that process
 * says so.
 */
export async function answerElsewhere({ root, questionId, text, who }: AnswerElsewhere): Promise<void> {
  const program = process.argv.slice(1, 2);
  const args = [...process.execArgv, ...program, 'inbox', 'answer', questionId, '-m', text, '--root', root];
  const env = { ...surroundings().env, USER: who };
  const code = await new Promise<number | null>((resolve, fail) => {
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    child.on('error', fail);
    child.on('close', resolve);
  });
  if (code !== 0 && code !== 1)
    throw new AgentXError('INVALID_STATE', `agentx inbox answer ended with ${code}.`, { code });
}
