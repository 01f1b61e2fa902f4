import type { AgentCliName } from '../../protocol/config.js';
import type { AgentCli } from './agent-cli.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { continueCli } from './continue.js';
import { copilot } from './copilot.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { qwen } from './qwen.js';

/** In the order in which `init` proposes them. */
export const AGENT_CLIS: Readonly<Record<AgentCliName, AgentCli>> = {
  claude,
  codex,
  copilot,
  gemini,
  qwen,
  opencode,
  continue: continueCli,
};
