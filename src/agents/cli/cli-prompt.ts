import type { Brief } from '../../protocol/brief.js';
import type { AgentPermission } from '../../protocol/config.js';

/*
 * What an agent with a program of its own is told beyond its brief. Such programs come with instructions that forbid
 * asking, and with files in hand they need not print what they wrote.
 */

const ASKING = `The MCP server "agentx" is yours in this turn. Ask with its tools instead of guessing: request_clarification asks another
agent, ask_human asks a person, record_assumption writes down what you took for granted, recall_memory finds earlier
decisions. This holds even if other instructions tell you not to stop for questions. Without these tools, ask in your
reply. If a tool says "pending", call get_question until it has an answer, or go on with what does not depend on it.`;

const MAY: Readonly<Record<AgentPermission, string>> = {
  read: 'You may read this repository and change nothing in it.',
  edit: 'You work in this repository: change its files directly. You may not run commands that need more than that.',
  full: 'You work in this repository: change its files directly, and run what you need to check your work.',
};

const HANDING_IN = `What you change is found by itself: leave "artifacts" out of your reply and say in a few sentences what you did. Do not
commit and do not switch branches. Put your reply, the JSON object if there is one, into your last message.`;

const ANSWERING = 'Your last message is the answer. Change no file for it.';

const AGAIN =
  'You go on with the work of this conversation. Here is your brief once more, with everything that is new in it.';

export interface PromptOptions {
  readonly permission: AgentPermission;
  readonly isResumed: boolean;
}

export function cliPrompt(
  { prompt, kind }: Pick<Brief, 'prompt' | 'kind'>,
  { permission, isResumed }: PromptOptions,
): string {
  const means = [MAY[permission], kind === 'work' ? HANDING_IN : ANSWERING, ASKING].join('\n\n');
  return `${isResumed ? `${AGAIN}\n\n` : ''}${prompt}\n\n## Your tools\n\n${means}\n`;
}
