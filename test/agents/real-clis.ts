import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCliName } from '../../src/protocol/config.js';
import type { WireCall } from '../wire/script.js';

/*
 * How each real CLI is pointed at the wire server, and how a model calls its tools. Versions are those whose streams were
 * recorded.
 */

export const PACKAGES: Readonly<Record<AgentCliName, string>> = {
  claude: '@anthropic-ai/claude-code@2.1.325',
  codex: '@openai/codex@0.166.0',
  copilot: '@github/copilot@1.0.102',
  gemini: '@google/gemini-cli@0.61.0',
  qwen: '@qwen-code/qwen-code@0.24.4',
  opencode: 'opencode-ai@1.18.33',
  continue: '@continuedev/cli@1.5.47',
};

export interface RealCli {
  readonly env?: Readonly<Record<string, string>>;
  /** Lines of its table in config.toml. */
  readonly table?: readonly string[];
  /** Our tool, as its model sees it. */
  readonly tool: string;
  /** Writes a file of the repository. */
  readonly write: (path: string, content: string) => WireCall;
}

const KEY = 'wire-key';

/** Prepares a home in which the CLI speaks to the server. */
export function pointAt(name: AgentCliName, url: string, home: string): RealCli {
  return CLIS[name](url, home);
}

const CLIS: Readonly<Record<AgentCliName, (url: string, home: string) => RealCli>> = {
  claude: (url) => ({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    tool: 'mcp__agentx__request_clarification',
    write: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  }),
  codex: (url, home) => {
    const provider = `[model_providers.wire]\nname = "wire"\nbase_url = "${url}/v1"\nenv_key = "WIRE_KEY"\nwire_api = "responses"\n`;
    file(home, '.codex/config.toml', `model = "m"\nmodel_provider = "wire"\n${provider}`);
    return {
      env: { WIRE_KEY: KEY },
      tool: 'mcp__agentx/request_clarification',
      write: (path, content) => ({ name: 'exec_command', input: { cmd: `printf %s '${content}' > '${path}'` } }),
    };
  },
  copilot: (url) => ({
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_MODEL: 'm',
      COPILOT_PROVIDER_API_KEY: KEY,
    },
    tool: 'agentx-request_clarification',
    write: (path, file_text) => ({ name: 'create', input: { path, file_text } }),
  }),
  gemini: (url, home) => {
    file(home, '.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
    return {
      env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url },
      table: ['model = "gemini-2.5-flash"'],
      tool: 'mcp_agentx_request_clarification',
      write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
    };
  },
  qwen: (url, home) => {
    file(home, '.qwen/settings.json', '{"security":{"auth":{"selectedType":"openai"}}}');
    return {
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'm' },
      tool: 'mcp__agentx__request_clarification',
      write: (file_path, content) => ({ name: 'write_file', input: { file_path, content } }),
    };
  },
  opencode: (url, home) => {
    const options = { baseURL: `${url}/v1`, apiKey: KEY };
    const provider = { wire: { npm: '@ai-sdk/openai-compatible', options, models: { m: {} } } };
    file(home, '.config/opencode/opencode.json', JSON.stringify({ provider }));
    return {
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
      table: ['model = "wire/m"'],
      tool: 'agentx_request_clarification',
      write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
    };
  },
  continue: (url, home) => {
    const model = { name: 'm', provider: 'openai', model: 'm', apiBase: `${url}/v1`, apiKey: KEY, roles: ['chat'] };
    file(home, '.continue/config.yaml', `name: t\nversion: 0.0.1\nschema: v1\nmodels:\n  - ${JSON.stringify(model)}\n`);
    return {
      env: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0', OTEL_SDK_DISABLED: 'true' },
      tool: 'request_clarification',
      write: (filepath, content) => ({ name: 'Write', input: { filepath, content } }),
    };
  },
};

function file(home: string, name: string, content: string): void {
  mkdirSync(join(home, name, '..'), { recursive: true });
  writeFileSync(join(home, name), content);
}
