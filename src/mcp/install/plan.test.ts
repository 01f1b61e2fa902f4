import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AgentXError } from '../../protocol/errors.js';
import { CLIENTS } from './client-table.js';
import { CLIENT_NAMES, type ClientName, SCOPES, type Scope } from './clients.js';
import { type PlanRequest, planInstall, planUninstall } from './plan.js';

const ON_PATH = { command: 'agentx', args: [], reason: 'it is on your PATH', isPortable: true };
const BY_PATH = { command: '/usr/bin/node', args: ['/opt/agent x/agentx.cjs'], reason: 'why', isPortable: false };

/** Files by path, with what a plan does to them. */
class Disk {
  readonly files = new Map<string, string>();
  /** By path: the file that a link leads to. */
  readonly links = new Map<string, string>();

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(files)) this.files.set(path, text);
  }

  request(
    name: ClientName,
    scope: Scope,
    env: Record<string, string> = {},
    more: Partial<PlanRequest> = {},
  ): PlanRequest {
    return {
      client: CLIENTS[name],
      place: {
        scope,
        env,
        home: '/home/u',
        platform: 'linux',
        project: '/p',
        has: (path) => this.files.has(this.#real(path)),
        real: (path) => this.#real(path),
      },
      program: ON_PATH,
      approve: true,
      hooks: false,
      agent: 'engineer',
      read: (path) => this.files.get(this.#real(path)),
      ...more,
    };
  }

  #real(path: string): string {
    return this.links.get(path) ?? path;
  }

  install(...args: Parameters<Disk['request']>) {
    const plan = planInstall(this.request(...args));
    this.#apply(plan);
    return plan;
  }

  uninstall(...args: Parameters<Disk['request']>) {
    const plan = planUninstall(this.request(...args));
    this.#apply(plan);
    return plan;
  }

  #apply({ files }: ReturnType<typeof planInstall>) {
    for (const { path, after } of files) {
      if (after === undefined) this.files.delete(this.#real(path));
      else this.files.set(this.#real(path), after);
    }
  }
}

const everywhere = CLIENT_NAMES.flatMap((name) => SCOPES.map((scope) => [name, scope] as const));

const JSON_FILES = [
  '// mine\n{\n  // none yet\n}\n',
  '\uFEFF{\r\n\t"theme": "dark", // why\r\n\t"list": [1, 2,],\r\n}\r\n',
  '{"theme":"dark"}',
  '{ "mcpServers": { "other": { "command": "x" }, }, "mcp": { "o": {} }, "servers": { "o": {} } /* end */ }',
  '{\n    "hooks": { "Stop": [] },\n    "permissions": { "deny": [] }\n}',
];
const TOML_FILES = [
  '# only a comment',
  '\uFEFFmodel = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n',
  'features.web = true\nmcp_servers.other.command = "x"\nmcp_servers.other.args = []\n',
  '[mcp_servers]\n\n[mcp_servers.other]\ncommand = "x" # [mcp_servers.agentx]',
];
const YAML_FILES = [
  '# only a comment\n',
  '\uFEFFname: t\r\nmodels:\r\n  - name: m # mine\r\n',
  'name: t\nmcpServers:\n- name: o\n',
];
const odd = everywhere.flatMap(([name, scope]) => {
  const { path = '' } = new Disk().install(name, scope).files[0] ?? {};
  const texts = path.endsWith('.toml') ? TOML_FILES : path.endsWith('.yaml') ? YAML_FILES : JSON_FILES;
  return texts.map((text) => [name, scope, text] as const);
});

describe('installing in a client', () => {
  it.each(everywhere)('writes all that %s needs in scope %s, and a second time nothing', (name, scope) => {
    const disk = new Disk();
    const { files } = disk.install(name, scope, {}, { hooks: true });
    expect(files.length).toBeGreaterThan(0);
    for (const { path } of files) expect(path.startsWith(scope === 'user' ? '/home/u/' : '/p/')).toBe(true);
    const again = disk.install(name, scope, {}, { hooks: true });
    for (const { before, after } of again.files) expect(after).toBe(before);
  });

  it.each(everywhere)('is undone for %s in scope %s without a trace', (name, scope) => {
    const disk = new Disk();
    disk.install(name, scope, {}, { hooks: true, program: BY_PATH });
    disk.uninstall(name, scope);
    expect([...disk.files]).toEqual([]);
    expect(disk.uninstall(name, scope).files).toEqual([]);
  });

  it.each(odd)('gives back exactly what was there: %s in scope %s, %j', (name, scope, text) => {
    const path = new Disk().install(name, scope).files[0]?.path ?? '';
    const disk = new Disk({ [path]: text });
    disk.install(name, scope, {}, { hooks: true, program: BY_PATH });
    expect(disk.files.get(path)).not.toBe(text);
    const installedFiles = new Map(disk.files);
    disk.install(name, scope, {}, { hooks: true, program: BY_PATH });
    expect(disk.files).toEqual(installedFiles);
    disk.uninstall(name, scope);
    expect([...disk.files]).toEqual([[path, text]]);
  });

  it.each([
    ['claude', '/home/u/.claude.json', '/p/.mcp.json'],
    ['codex', '/home/u/.codex/config.toml', '/p/.codex/config.toml'],
    ['copilot', '/home/u/.copilot/mcp-config.json', '/p/.github/mcp.json'],
    ['gemini', '/home/u/.gemini/settings.json', '/p/.gemini/settings.json'],
    ['qwen', '/home/u/.qwen/settings.json', '/p/.qwen/settings.json'],
    ['opencode', '/home/u/.config/opencode/opencode.json', '/p/opencode.json'],
    ['continue', '/home/u/.continue/config.yaml', '/p/.continue/mcpServers/agentx.yaml'],
    ['cursor', '/home/u/.cursor/mcp.json', '/p/.cursor/mcp.json'],
    ['vscode', '/home/u/.config/Code/User/mcp.json', '/p/.vscode/mcp.json'],
  ] as const)('knows the files of %s', (name, user, project) => {
    expect(new Disk().install(name, 'user').files[0]?.path).toBe(user);
    expect(new Disk().install(name, 'project').files[0]?.path).toBe(project);
  });

  it.each([
    ['claude', 'CLAUDE_CONFIG_DIR', '/x/.claude.json'],
    ['codex', 'CODEX_HOME', '/x/config.toml'],
    ['copilot', 'COPILOT_HOME', '/x/mcp-config.json'],
    ['gemini', 'GEMINI_CLI_HOME', '/x/.gemini/settings.json'],
    ['qwen', 'QWEN_HOME', '/x/settings.json'],
    ['opencode', 'XDG_CONFIG_HOME', '/x/opencode/opencode.json'],
    ['opencode', 'OPENCODE_CONFIG_DIR', '/x/opencode.json'],
    ['opencode', 'OPENCODE_CONFIG', '/x'],
    ['continue', 'CONTINUE_GLOBAL_DIR', '/x/config.yaml'],
    ['vscode', 'VSCODE_PORTABLE', '/x/user-data/User/mcp.json'],
    ['vscode', 'XDG_CONFIG_HOME', '/x/Code/User/mcp.json'],
  ] as const)('goes where %s goes with %s', (name, variable, path) => {
    expect(new Disk().install(name, 'user', { [variable]: '/x' }).files[0]?.path).toBe(path);
  });

  it('keeps what the user has set in our entry, and mends how we are started', () => {
    const disk = new Disk({
      '/home/u/.gemini/settings.json':
        '{"mcpServers":{"agentx":{"command":"/old/agentx","args":["mcp","--root","/r"],"timeout":5,"includeTools":["x"]}}}',
    });
    disk.install('gemini', 'user', {}, { program: BY_PATH });
    expect(JSON.parse(disk.files.get('/home/u/.gemini/settings.json') ?? '').mcpServers.agentx).toEqual({
      command: '/usr/bin/node',
      args: ['/opt/agent x/agentx.cjs', 'mcp', '--root', '/r'],
      timeout: 5,
      includeTools: ['x'],
      trust: true,
    });
  });

  it.each([
    '{"mcpServers":{"agentx":{"type":"http","url":"http://127.0.0.1:4820/mcp"}}}',
    '{"mcpServers":{"agentx":{"command":"npx","args":["agentx","serve"]}}}',
  ])('leaves a server of the same name alone that is not ours: %s', (text) => {
    const disk = new Disk({ '/home/u/.claude.json': text });
    expect(() => disk.install('claude', 'user')).toThrow("has a server 'agentx' that is not started by 'agentx mcp'");
    expect(disk.uninstall('claude', 'user').notes[0]).toContain('it stays');
    expect([...disk.files.values()]).toEqual([text]);
  });

  it.each(CLIENT_NAMES)('writes nothing at all if a file of %s is broken, and says which', (name) => {
    const path = new Disk().install(name, 'project').files[0]?.path ?? '';
    const disk = new Disk({ [path]: '{"a": [' });
    const refused = () => disk.install(name, 'project');
    expect(refused).toThrow(AgentXError);
    expect(refused).toThrow(new RegExp(`^${path} is no valid .* Nothing was written\\. Mend it`));
    expect(disk.files.size).toBe(1);
  });

  it('makes no file that would hide the one that the client reads now', () => {
    const only = (file: string, name: ClientName) => {
      const disk = new Disk({ [join('/p', file)]: '# Mine\n' });
      const { files } = disk.install(name, 'project');
      return files.find(({ parts }) => parts.includes('instructions'))?.path;
    };
    expect(only('AGENTS.md', 'claude')).toBe('/p/AGENTS.md');
    expect(only('.claude/CLAUDE.md', 'claude')).toBe('/p/.claude/CLAUDE.md');
    expect(only('AGENTS.override.md', 'codex')).toBe('/p/AGENTS.override.md');
    expect(only('CLAUDE.md', 'codex')).toBe('/p/AGENTS.md');
    expect(only('CLAUDE.md', 'opencode')).toBe('/p/CLAUDE.md');
    expect(only('AGENTS.md', 'qwen')).toBe('/p/AGENTS.md');
    const oldDisk = new Disk({ '/home/u/.continue/config.json': '{}' });
    expect(() => oldDisk.install('continue', 'user')).toThrow('would no longer do so');
  });

  it('leaves the instructions for another client that reads them', () => {
    const disk = new Disk({ '/p/AGENTS.md': '# Mine\n' });
    disk.install('codex', 'project');
    disk.install('opencode', 'project');
    expect(disk.uninstall('codex', 'project').notes).toEqual([
      'The instructions in /p/AGENTS.md stay: opencode reads them too.',
    ]);
    expect(disk.files.get('/p/AGENTS.md')).toContain('agentx:begin');
    disk.uninstall('opencode', 'project');
    expect([...disk.files]).toEqual([['/p/AGENTS.md', '# Mine\n']]);
  });

  it('adds its approval and its hooks to those of the user, and takes only them away', () => {
    const ownSettings = {
      permissions: { allow: ['Bash(git *)'], deny: ['Read(.env)'] },
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'date' }] }] },
    };
    const text = `${JSON.stringify(ownSettings, null, 2)}\n`;
    const path = '/home/u/.claude/settings.json';
    const disk = new Disk({ [path]: text });
    disk.install('claude', 'user', {}, { hooks: true, program: BY_PATH });
    const after = JSON.parse(disk.files.get(path) ?? '');
    expect(after.permissions).toEqual({ allow: ['Bash(git *)', 'mcp__agentx'], deny: ['Read(.env)'] });
    expect(after.hooks.SessionStart).toHaveLength(2);
    const command = "/usr/bin/node '/opt/agent x/agentx.cjs' hook finish engineer --session";
    expect(after.hooks.SessionEnd).toEqual([{ hooks: [{ type: 'command', command }] }]);
    // Without --hooks, those that are there follow the program.
    disk.install('claude', 'user');
    expect(disk.files.get(path)).toContain('"agentx hook finish engineer --session"');
    disk.uninstall('claude', 'user');
    expect(disk.files.get(path)).toBe(text);
  });

  it('leaves approvals to the client if it is told so', () => {
    const disk = new Disk();
    for (const name of CLIENT_NAMES) disk.install(name, 'user', {}, { approve: false });
    expect([...disk.files.values()].join('\n')).not.toMatch(/"trust"|approval_mode|mcp__agentx/);
  });

  it.each(CLIENT_NAMES)('writes for %s what its page shows', (name) => {
    const page = readFileSync(resolve(import.meta.dirname, `../../../docs/clients/${name}.md`), 'utf8');
    const { files } = new Disk().install(name, CLIENTS[name].defaultScope);
    for (const { path, parts, after = '' } of files) {
      expect(page).toContain(`\`${path.replace('/home/u', '~').replace('/p/', '')}\``);
      if (!parts.includes('instructions')) expect(page).toContain(after.trimEnd());
    }
  });

  it('says that a path of this machine is not for others', () => {
    const { notes } = new Disk().install('claude', 'project', {}, { program: BY_PATH });
    expect(notes.join('\n')).toContain('do not commit');
    expect(new Disk().install('claude', 'project').notes.join('\n')).not.toContain('do not commit');
  });
});

describe('instructions that clients read by several names', () => {
  /** Many repositories have one file for all of their agents. */
  function linked() {
    const disk = new Disk({ '/p/AGENTS.md': '# Ours\n' });
    disk.links.set('/p/CLAUDE.md', '/p/AGENTS.md');
    disk.install('claude', 'project');
    return disk;
  }

  it('stay as long as one of them has our server', () => {
    const disk = linked();
    disk.install('codex', 'project');
    const text = disk.files.get('/p/AGENTS.md');
    expect(disk.uninstall('claude', 'project').notes).toEqual([
      'The instructions in /p/CLAUDE.md stay: Codex reads them too.',
    ]);
    expect(disk.files.get('/p/AGENTS.md')).toBe(text);
    disk.uninstall('codex', 'project');
    expect(disk.files.get('/p/AGENTS.md')).toBe('# Ours\n');
  });

  it('are taken out of the one file once', () => {
    const disk = linked();
    const { files } = disk.uninstall('claude', 'project');
    expect(files.filter(({ parts }) => parts.includes('instructions')).map(({ path }) => path)).toEqual([
      '/p/CLAUDE.md',
    ]);
    expect(disk.files.get('/p/AGENTS.md')).toBe('# Ours\n');
  });
});
