import { cloudEventOf } from './cloud-event.js';
import { type Send, sayable } from './sender.js';

/** Starts a program of the user without a shell, with the JSON of a webhook on stdin. */
export const sendCommand: Send = async (letter, channel, { cwd, root, env, runProgram }) => {
  const { command = [], env: own = {}, timeoutMs } = channel;
  try {
    const { end, stderr } = await runProgram({
      command,
      cwd,
      env: { ...env, ...own, AGENTX_ROOT: root, AGENTX_NOTIFICATION: letter.id },
      input: `${JSON.stringify(cloudEventOf(letter))}\n`,
      timeoutSeconds: timeoutMs / 1000,
    });
    if (typeof end === 'object' && 'code' in end && end.code === 0) return { outcome: 'sent' };
    const how =
      typeof end === 'string'
        ? 'took too long'
        : 'code' in end
          ? `ended with ${end.code}`
          : `was ended by ${end.signal}`;
    const why = stderr.trim() === '' ? '' : `: ${stderr.trim().split('\n').at(-1) ?? ''}`;
    return { outcome: 'failed', error: sayable(`the program ${how}${why}`, channel) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { outcome: code === 'ENOENT' ? 'refused' : 'failed', error: `the program cannot be started (${code})` };
  }
};
