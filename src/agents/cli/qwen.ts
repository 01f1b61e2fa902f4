import { join } from 'node:path';
import { type AgentCli, usageField } from './agent-cli.js';
import { readClaudeEvent } from './claude.js';
import { countAt, valueAt } from './json-event.js';

const MODES = { read: 'default', edit: 'auto-edit', full: 'yolo' };

export const qwen: AgentCli = {
  name: 'qwen',
  program: 'qwen',
  package: '@qwen-code/qwen-code',
  login: 'start qwen once and log in, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL',
  keys: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
  choosesSession: true,
  totals: ['tokens'],
  invoke: ({ permission, model, args: more, server: { command, args, env }, session }) => ({
    args: [
      ...['-o', 'stream-json', '--approval-mode', MODES[permission]],
      ...(session.isNew ? ['--session-id', session.id] : ['--resume', session.id]),
      ...[
        '--mcp-config',
        JSON.stringify({ mcpServers: { agentx: { command, args, env, trust: true, timeout: 600_000 } } }),
      ],
      ...(model === undefined ? [] : ['--model', model]),
      ...more,
    ],
  }),
  read: (outcome, event) => {
    const { usage: _, ...next } = readClaudeEvent(outcome, event);
    if (event.type !== 'result') return outcome.usage === undefined ? next : { ...next, usage: outcome.usage };
    const usage = valueAt(event, 'usage');
    const cachedTokens = countAt(usage, 'cache_read_input_tokens');
    const figures = { inputTokens: countAt(usage, 'input_tokens'), outputTokens: countAt(usage, 'output_tokens') };
    return { ...next, ...usageField({ ...figures, cachedTokens }) };
  },
  transcript: (session, { home, env }) =>
    join(env.QWEN_RUNTIME_DIR || env.QWEN_HOME || join(home, '.qwen'), 'projects', '*', 'chats', `${session}.jsonl`),
};
