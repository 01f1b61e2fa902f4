import { join } from 'node:path';
import type { Client, ClientName, EntryOptions, Hooks, InstructionFiles, Place } from './clients.js';

/** Longer than any person should let an agent wait. With clients that keep their own limit, the agent polls. */
const TIMEOUT_SECONDS = 900;
const TIMEOUT_MS = TIMEOUT_SECONDS * 1000;
/** The longest call that qwen bears, with progress. */
const QWEN_TIMEOUT_MS = 600_000;

/** What an agent that we started must hear from its server, where a client passes on only what is named. */
const OWN_VARIABLES = [
  'AGENTX_ROOT',
  'AGENTX_AGENT',
  'AGENTX_ISSUE',
  'AGENTX_STEP',
  'AGENTX_TURN',
  'AGENTX_CLARIFICATION',
  'AGENTX_HEADLESS',
  'AGENTX_TRUST',
  'AGENTX_LOG',
];

const stdio = ({ program }: EntryOptions) => ({ command: program.command, args: [...program.args, 'mcp'] });

/** `{"type": "command", "command": ...}` inside a matcher without a condition. */
const nested = (command: string) => ({ hooks: [{ type: 'command', command }] });

const sessionHooks = (path: string): Hooks => ({ path, start: 'SessionStart', finish: 'SessionEnd', entry: nested });

/** The first of these files that is there; the first of all is made if none is. */
function oneOf(folder: string, first: string, ...others: readonly string[]): InstructionFiles {
  const paths = [first, ...others].map((name) => join(folder, name));
  return { paths, fresh: join(folder, first) };
}

const folderOf = (base: string) => (place: Place) => (place.scope === 'user' ? base : place.project);

const claudeFolder = ({ scope, env, home, project }: Place): string =>
  scope === 'project' ? join(project, '.claude') : env.CLAUDE_CONFIG_DIR || join(home, '.claude');

const claude: Client = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  defaultScope: 'user',
  server: ({ scope, env, home, project }) => ({
    path: scope === 'user' ? join(env.CLAUDE_CONFIG_DIR || home, '.claude.json') : join(project, '.mcp.json'),
    format: 'json',
    servers: ['mcpServers'],
  }),
  // Otherwise the model sees only the names of our tools until it searches for them.
  entry: (options) => ({ type: 'stdio', ...stdio(options), alwaysLoad: true }),
  instructions: (place) =>
    place.scope === 'user'
      ? oneOf(claudeFolder(place), 'CLAUDE.md')
      : oneOf(place.project, 'CLAUDE.md', '.claude/CLAUDE.md', 'AGENTS.md'),
  approval: (place) => ({
    path: join(claudeFolder(place), 'settings.json'),
    list: ['permissions', 'allow'],
    value: 'mcp__agentx',
  }),
  hooks: (place) => sessionHooks(join(claudeFolder(place), 'settings.json')),
  restart: (scope) =>
    scope === 'user'
      ? 'Start a new session of claude; /mcp shows the server.'
      : 'Start a new session of claude here; it asks once whether the servers of .mcp.json may start.',
};

const codexFolder = ({ scope, env, home, project }: Place): string =>
  scope === 'project' ? join(project, '.codex') : env.CODEX_HOME || join(home, '.codex');

const codex: Client = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  defaultScope: 'user',
  server: (place) => ({ path: join(codexFolder(place), 'config.toml'), format: 'toml', servers: ['mcp_servers'] }),
  entry: (options) => ({
    ...stdio(options),
    env_vars: OWN_VARIABLES,
    // Otherwise codex does not wait for us, and its first request may go to the model without our tools.
    required: true,
    tool_timeout_sec: TIMEOUT_SECONDS,
    ...(options.approve ? { default_tools_approval_mode: 'approve' } : {}),
  }),
  instructions: (place) => {
    const folder = folderOf(codexFolder(place))(place);
    const freshFile = join(folder, 'AGENTS.md');
    return { paths: [join(folder, 'AGENTS.override.md'), freshFile], fresh: freshFile };
  },
  // Its Stop comes after every turn: an agent that waits for an answer would count as gone.
  hooks: (place) => ({ path: join(codexFolder(place), 'hooks.json'), start: 'SessionStart', entry: nested }),
  passesOn: ['HOME', 'PATH', 'TERM', 'SHELL', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ'],
  restart: (scope) =>
    scope === 'user'
      ? 'Start a new session of codex; /mcp shows the server.'
      : 'Start a new session of codex here. It reads .codex/config.toml only in a folder that you trust: it asks, or the user file says so.',
};

const copilotFolder = ({ env, home }: Place): string => env.COPILOT_HOME || join(home, '.copilot');

const copilot: Client = {
  name: 'copilot',
  title: 'Copilot CLI',
  program: 'copilot',
  defaultScope: 'user',
  server: (place) => ({
    path:
      place.scope === 'user' ? join(copilotFolder(place), 'mcp-config.json') : join(place.project, '.github/mcp.json'),
    format: 'json',
    servers: ['mcpServers'],
  }),
  entry: (options) => ({ type: 'local', ...stdio(options), tools: ['*'], timeout: TIMEOUT_MS }),
  instructions: (place) =>
    place.scope === 'user'
      ? oneOf(copilotFolder(place), 'copilot-instructions.md')
      : oneOf(place.project, '.github/copilot-instructions.md'),
  hooks: (place) => ({
    path:
      place.scope === 'user'
        ? join(copilotFolder(place), 'settings.json')
        : join(place.project, '.github/hooks/agentx.json'),
    start: 'sessionStart',
    finish: 'sessionEnd',
    entry: (command) => ({ type: 'command', bash: command }),
    ...(place.scope === 'project' ? { frame: { version: 1 } } : {}),
  }),
  restart: (scope) =>
    `Start a new session of copilot${scope === 'project' ? ' with --trust-folder' : ''}. Without a person it runs our tools only with --allow-tool=agentx.`,
};

const geminiFolder = ({ scope, env, home, project }: Place): string =>
  join(scope === 'project' ? project : env.GEMINI_CLI_HOME || home, '.gemini');

const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  defaultScope: 'user',
  server: (place) => ({ path: join(geminiFolder(place), 'settings.json'), format: 'json', servers: ['mcpServers'] }),
  // Without trust, a session without a person does not even see our tools.
  entry: (options) => ({ ...stdio(options), timeout: TIMEOUT_MS, ...(options.approve ? { trust: true } : {}) }),
  instructions: (place) => oneOf(folderOf(geminiFolder(place))(place), 'GEMINI.md'),
  hooks: (place) => sessionHooks(join(geminiFolder(place), 'settings.json')),
  restart: (scope) =>
    scope === 'user'
      ? 'Start a new session of gemini; /mcp shows the server.'
      : 'Start a new session of gemini here. It reads .gemini/settings.json only in a folder that you trust.',
};

const qwenFolder = ({ scope, env, home, project }: Place): string =>
  scope === 'project' ? join(project, '.qwen') : env.QWEN_HOME || join(home, '.qwen');

const qwen: Client = {
  name: 'qwen',
  title: 'Qwen Code',
  program: 'qwen',
  defaultScope: 'user',
  server: (place) => ({ path: join(qwenFolder(place), 'settings.json'), format: 'json', servers: ['mcpServers'] }),
  entry: (options) => ({ ...stdio(options), timeout: QWEN_TIMEOUT_MS, ...(options.approve ? { trust: true } : {}) }),
  instructions: (place) => oneOf(folderOf(qwenFolder(place))(place), 'QWEN.md', 'AGENTS.md'),
  hooks: (place) => sessionHooks(join(qwenFolder(place), 'settings.json')),
  restart: (scope) =>
    scope === 'user'
      ? 'Start a new session of qwen; /mcp shows the server.'
      : 'Approve the server once: qwen mcp approve agentx. Then start a new session of qwen here.',
};

const opencodeFolder = ({ scope, env, home, project }: Place): string =>
  scope === 'project'
    ? project
    : env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');

const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  defaultScope: 'user',
  server: (place) => {
    const folder = opencodeFolder(place);
    const names =
      place.scope === 'project'
        ? ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc']
        : ['opencode.json', 'opencode.jsonc'];
    const own = place.scope === 'user' && place.env.OPENCODE_CONFIG ? [place.env.OPENCODE_CONFIG] : [];
    const paths = [...own, ...names.map((name) => join(folder, name))];
    return {
      path: paths.find(place.has) ?? paths[0] ?? join(folder, 'opencode.json'),
      format: 'json',
      servers: ['mcp'],
      frame: { $schema: 'https://opencode.ai/config.json' },
    };
  },
  entry: ({ program }) => ({
    type: 'local',
    command: [program.command, ...program.args, 'mcp'],
    enabled: true,
    timeout: TIMEOUT_MS,
  }),
  instructions: (place) => {
    if (place.scope === 'project') return oneOf(place.project, 'AGENTS.md', 'CLAUDE.md', 'CONTEXT.md');
    const freshFile = join(opencodeFolder(place), 'AGENTS.md');
    return { paths: [freshFile, join(place.home, '.claude/CLAUDE.md')], fresh: freshFile };
  },
  restart: () => 'Start a new session of opencode.',
};

const continueFolder = ({ scope, env, home, project }: Place): string =>
  scope === 'project' ? join(project, '.continue') : env.CONTINUE_GLOBAL_DIR || join(home, '.continue');

const continueClient: Client = {
  name: 'continue',
  title: 'Continue',
  program: 'cn',
  defaultScope: 'user',
  server: (place) => ({
    path: join(continueFolder(place), place.scope === 'user' ? 'config.yaml' : 'mcpServers/agentx.yaml'),
    format: 'yaml',
    servers: ['mcpServers'],
    frame: { name: place.scope === 'user' ? 'Local Config' : 'AgentX', version: '1.0.0', schema: 'v1' },
    ...(place.scope === 'user' ? { instead: join(continueFolder(place), 'config.json') } : {}),
  }),
  entry: (options) => ({ name: 'agentx', ...stdio(options) }),
  instructions: (place) => ({
    ...oneOf(continueFolder(place), 'rules/agentx.md'),
    frontMatter: '---\nname: Ask through AgentX\nalwaysApply: true\n---\n',
  }),
  restart: (scope) =>
    scope === 'user'
      ? 'Start a new session of cn, or reload the window of the editor.'
      : 'Reload the window of the editor. cn does not read .continue/mcpServers: for it, install with --scope user.',
};

const cursorFolder = ({ scope, home, project }: Place): string => join(scope === 'user' ? home : project, '.cursor');

const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  program: 'cursor',
  defaultScope: 'project',
  isEditor: true,
  server: (place) => ({ path: join(cursorFolder(place), 'mcp.json'), format: 'json', servers: ['mcpServers'] }),
  // Cursor does not start servers in the folder that is open.
  entry: (options) => ({ ...stdio(options), env: { AGENTX_ROOT: '$' + '{workspaceFolder}' } }),
  instructions: (place) =>
    place.scope === 'user'
      ? undefined
      : {
          ...oneOf(cursorFolder(place), 'rules/agentx.mdc'),
          frontMatter: '---\ndescription: When something is unclear, ask through AgentX\nalwaysApply: true\n---\n',
        },
  hooks: (place) => ({
    path: join(cursorFolder(place), 'hooks.json'),
    start: 'sessionStart',
    finish: 'sessionEnd',
    entry: (command) => ({ command }),
    frame: { version: 1 },
  }),
  restart: () => 'Cursor asks whether the server may be enabled: Settings, MCP. Then start a new chat.',
};

const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  program: 'code',
  defaultScope: 'project',
  isEditor: true,
  server: (place) => ({
    path: place.scope === 'user' ? join(vscodeFolder(place), 'mcp.json') : join(place.project, '.vscode/mcp.json'),
    format: 'json',
    servers: ['servers'],
  }),
  entry: (options) => ({ type: 'stdio', ...stdio(options) }),
  instructions: (place) =>
    place.scope === 'user'
      ? { ...oneOf(vscodeFolder(place), 'prompts/agentx.instructions.md'), frontMatter: "---\napplyTo: '**'\n---\n" }
      : oneOf(place.project, '.github/copilot-instructions.md'),
  restart: () =>
    'VS Code asks whether the server may start: "MCP: List Servers" shows it. Then start a new chat in agent mode.',
};

function vscodeFolder({ env, home, platform }: Place): string {
  if (env.VSCODE_PORTABLE) return join(env.VSCODE_PORTABLE, 'user-data/User');
  if (platform === 'darwin') return join(home, 'Library/Application Support/Code/User');
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData/Roaming'), 'Code/User');
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Code/User');
}

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  claude,
  codex,
  copilot,
  gemini,
  qwen,
  opencode,
  continue: continueClient,
  cursor,
  vscode,
};
