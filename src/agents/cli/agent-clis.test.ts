import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentCliName, AgentPermission } from '../../protocol/config.js';
import { type AgentCli, type CliOutcome, type CliTurn, NOTHING_YET } from './agent-cli.js';
import { AGENT_CLIS } from './agent-clis.js';
import { withServer } from './continue.js';
import { eventIn } from './json-event.js';

const ANSWER = 'All done.\n\n{"status":"done","text":"final"}';
const recorded = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/agent-clis', name), 'utf8');

function read({ read: next }: AgentCli, text: string): CliOutcome {
  return text.split('\n').reduce<CliOutcome>((outcome, line) => {
    const event = eventIn(line);
    return event === undefined ? outcome : next(outcome, event);
  }, NOTHING_YET);
}

const USED = { inputTokens: 400, cachedTokens: 0, outputTokens: 40 };

describe('the stream of an agent CLI, as it was recorded', () => {
  it.each([
    ['claude', '4208dc10-3f89-4179-9930-3d38edecf833', { ...USED, cost: 0.0024000000000000002 }],
    ['codex', '01a1e7ba-8a66-7332-8b39-3c4df7976a3e', USED],
    ['copilot', 'a5ba2879-027c-4b61-a246-a17b396c4426', undefined],
    ['gemini', '6e381920-952c-416e-a48a-16a51808e67e', USED],
    ['qwen', /^[0-9a-f-]{36}$/, USED],
    ['opencode', 'ses_e1843fa97ffeTOzHz7GGfYu8WW', USED],
  ] as const)('%s: tells the session, the answer and what was used', (name, session, usage) => {
    const outcome = read(AGENT_CLIS[name], recorded(`${name}.jsonl`));
    expect(outcome).toMatchObject({ answer: ANSWER, isFinal: true, isBegun: true });
    expect(outcome.session).toEqual(typeof session === 'string' ? session : expect.stringMatching(session));
    expect(outcome.usage).toEqual(usage);
    expect(outcome.error).toBeUndefined();
  });

  it.each(['claude', 'codex', 'copilot', 'gemini', 'qwen', 'opencode'] as const)(
    '%s: a stream that breaks off before its last event is not final',
    (name) => {
      const lines = recorded(`${name}.jsonl`).trimEnd().split('\n');
      expect(read(AGENT_CLIS[name], lines.slice(0, -1).join('\n')).isFinal).toBe(false);
    },
  );

  it.each([
    [
      'claude',
      'Bash: node -e "require(String.fromCharCode(102,115)).writeFileSync(String.fromCharCode(115),String.fromCharCode(115))"',
    ],
    ['qwen', 'run_shell_command: touch shell.txt'],
    ['copilot', 'Permission to run this tool was denied due to the following rules: `shell`'],
  ] as const)('%s: tells what it did not allow', (name, denied) => {
    expect(read(AGENT_CLIS[name], recorded(`${name}.jsonl`)).denied).toEqual([denied]);
  });

  it.each<readonly [AgentCliName, string, string]>([
    ['claude', '{"type":"result","subtype":"error_max_turns","is_error":true,"errors":[]}', 'error_max_turns'],
    ['claude', '{"type":"result","subtype":"error_during_execution","is_error":true,"result":"no key"}', 'no key'],
    ['qwen', '{"type":"result","is_error":true,"error":{"message":"401 bad key"}}', '401 bad key'],
    ['codex', '{"type":"turn.failed","error":{"message":"500"}}', '500'],
    ['copilot', '{"type":"session.error","data":{"message":"boom"}}\n{"type":"result","exitCode":1}', 'boom'],
    ['gemini', '{"type":"result","status":"error","error":{"message":"quota"}}', 'quota'],
    [
      'opencode',
      '{"type":"error","error":{"name":"APIError","data":{"message":"bad key","statusCode":401}}}',
      'bad key',
    ],
  ])('%s: a failure is told in its own words: %s', (name, text, error) => {
    expect(read(AGENT_CLIS[name], text)).toMatchObject({ isFinal: true, error });
    expect(read(AGENT_CLIS[name], text).answer).toBeUndefined();
  });

  it('remembers the last try of a model that does not answer', () => {
    const retry = '{"type":"system","subtype":"api_retry","attempt":6,"max_retries":10,"error_status":500}';
    expect(read(AGENT_CLIS.claude, retry).trouble).toBe('the model answered with status 500, try 6 of 10');
    expect(read(AGENT_CLIS.codex, '{"type":"error","message":"Reconnecting... 2/5"}').trouble).toBe(
      'Reconnecting... 2/5',
    );
  });

  it.each(Object.values(AGENT_CLIS))('$name: nonsense is no answer and breaks nothing', (cli) => {
    const lines = [
      'null',
      '[]',
      '{',
      '{"type":{}}',
      '{"type":"result","result":7,"is_error":false}',
      '{"type":"result"}',
      '{"type":"assistant","message":null}',
      '{"type":"item.completed","item":[]}',
      '{"type":"text","part":"x"}',
      '{"type":"message","role":"assistant","content":{}}',
      '{"type":"step_finish","part":{"tokens":-1,"cost":"9"}}',
      '{"__proto__":{"answer":"owned"},"type":"constructor"}',
      '{"type":"tool.execution_complete","data":9}',
      `{"type":"assistant.message","data":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      '\u001b[2J{"type":"error"}',
    ];
    const outcome = read(cli, lines.join('\n'));
    expect(outcome.answer === undefined || outcome.answer === '').toBe(true);
    expect(outcome.denied).toEqual([]);
  });

  it('opencode: every text of the last step is the answer, and none before it', () => {
    const text = (words: string) => JSON.stringify({ type: 'text', part: { text: words } });
    const lines = [
      '{"type":"step_start"}',
      text('Let me see.'),
      '{"type":"step_finish","part":{"reason":"tool-calls"}}',
    ];
    const last = ['{"type":"step_start"}', text('{"clarify":[]}'), text('I wait.')];
    const end = '{"type":"step_finish","part":{"reason":"stop"}}';
    expect(read(AGENT_CLIS.opencode, [...lines, ...last, end].join('\n'))).toMatchObject({
      answer: '{"clarify":[]}\n\nI wait.',
      isFinal: true,
    });
  });

  it('continue: an answer is the whole output, wrapped or JSON itself, and an error is on stderr', () => {
    const output = (stdout: string, stderr = '') => AGENT_CLIS.continue.readOutput?.({ stdout, stderr });
    expect(output(recorded('continue.json'))).toMatchObject({ answer: 'Let me ask.', isFinal: true });
    expect(output('{"status":"done","text":"x"}\n')).toMatchObject({ answer: '{"status":"done","text":"x"}' });
    expect(output('', 'noise\n{"status":"error","message":"500 no"}\n')).toMatchObject({ error: '500 no' });
    expect(output('', '')?.error).toBe('it said nothing');
  });
});

describe('the command line of an agent CLI', () => {
  const server = {
    command: 'node',
    args: ['agentx.cjs', 'mcp'],
    env: { AGENTX_AGENT: 'engineer' },
    passed: ['PATH', 'GEMINI_API_KEY'],
  };
  const turn = (fields: Partial<CliTurn> = {}): CliTurn => ({
    permission: 'edit',
    args: ['--more'],
    server,
    session: { id: 'abc', isNew: true },
    folder: '/turn',
    env: { HOME: '/home/ada' },
    readFile: () => undefined,
    listFolder: () => [],
    ...fields,
  });
  const words = (name: AgentCliName, fields?: Partial<CliTurn>) => AGENT_CLIS[name].invoke(turn(fields)).args;

  it.each(Object.values(AGENT_CLIS))('$name: hands our server over, with the names of the turn and no key', (cli) => {
    const { args, env = {}, files = {} } = cli.invoke(turn({ env: { HOME: '/home/ada', GEMINI_API_KEY: 'secret' } }));
    const all = JSON.stringify({ args, env, files });
    expect(all).toContain('agentx.cjs');
    expect(all).toContain('AGENTX_AGENT');
    expect(all).not.toContain('secret');
    expect(args).toContain('--more');
    for (const path of Object.keys(files)) expect(path.startsWith('/turn/')).toBe(true);
  });

  it.each<readonly [AgentCliName, readonly string[], readonly string[]]>([
    ['claude', ['--session-id', 'abc'], ['--resume', 'abc']],
    ['copilot', ['--session-id', 'abc'], ['--session-id', 'abc']],
    ['gemini', ['--session-id', 'abc'], ['--resume', 'abc']],
    ['qwen', ['--session-id', 'abc'], ['--resume', 'abc']],
    ['opencode', [], ['--session', 'abc']],
    ['codex', [], ['abc', '-']],
    ['continue', [], ['--fork', 'abc']],
  ])('%s: begins a session and goes on with one', (name, fresh, resumed) => {
    expect(words(name).join(' ')).toContain(fresh.join(' '));
    expect(words(name, { session: { id: 'abc', isNew: false } }).join(' ')).toContain(resumed.join(' '));
    if (fresh.length === 0) expect(words(name)).not.toContain('abc');
  });

  it.each<readonly [AgentCliName, Readonly<Record<AgentPermission, string>>]>([
    [
      'claude',
      {
        read: '--disallowedTools Edit,Write,NotebookEdit,Bash',
        edit: '--permission-mode acceptEdits',
        full: '--permission-mode bypassPermissions',
      },
    ],
    [
      'codex',
      {
        read: 'sandbox_mode="read-only"',
        edit: 'sandbox_mode="workspace-write"',
        full: 'sandbox_mode="danger-full-access"',
      },
    ],
    [
      'copilot',
      { read: '--deny-tool=write --deny-tool=shell', edit: '--allow-tool=write --deny-tool=shell', full: '--yolo' },
    ],
    ['gemini', { read: '--approval-mode default', edit: '--approval-mode auto_edit', full: '--approval-mode yolo' }],
    ['qwen', { read: '--approval-mode default', edit: '--approval-mode auto-edit', full: '--approval-mode yolo' }],
    [
      'opencode',
      {
        read: '"edit":"deny","bash":"deny"',
        edit: '"edit":"allow","bash":"deny"',
        full: '"edit":"allow","bash":"allow"',
      },
    ],
    ['continue', { read: '--exclude Write', edit: '--exclude Bash --allow Write', full: '--auto' }],
  ])('%s: maps each permission to its own', (name, expected) => {
    for (const permission of ['read', 'edit', 'full'] as const) {
      const { args, env = {} } = AGENT_CLIS[name].invoke(turn({ permission }));
      expect([...args, ...Object.values(env)].join(' ')).toContain(expected[permission]);
    }
  });

  it('starts no program of the repository: claude and opencode leave its settings out', () => {
    expect(words('claude')).toContain('--strict-mcp-config');
    expect(AGENT_CLIS.opencode.invoke(turn()).env).toMatchObject({ OPENCODE_DISABLE_PROJECT_CONFIG: '1' });
  });

  it.each([
    ['claude', 'CLAUDE_CONFIG_DIR'],
    ['codex', 'CODEX_HOME'],
    ['copilot', 'COPILOT_HOME'],
    ['gemini', 'GEMINI_CLI_HOME'],
    ['qwen', 'QWEN_HOME'],
    ['continue', 'CONTINUE_GLOBAL_DIR'],
  ] as const)('%s: its conversations are where %s says', (name, variable) => {
    const transcript = AGENT_CLIS[name].transcript?.('1a2b3c4d', {
      home: '/home/ada',
      env: { [variable]: '/elsewhere' },
    });
    expect(transcript).toMatch(/^\/elsewhere\//);
  });

  it("gemini: keeps the user's settings, comments and all, and links the rest of their folder", () => {
    const settings =
      '{ // mine\n"security": {"auth": {"selectedType": "oauth"}}, "mcpServers": {"docs": {"command": "docs"}} }';
    const {
      env,
      files = {},
      links,
    } = AGENT_CLIS.gemini.invoke(
      turn({
        readFile: (path) => (path === '/home/ada/.gemini/settings.json' ? settings : undefined),
        listFolder: () => ['settings.json', 'oauth_creds.json'],
      }),
    );
    expect(env).toEqual({ GEMINI_CLI_HOME: '/turn' });
    const written: unknown = JSON.parse(files['/turn/.gemini/settings.json'] ?? '');
    expect(written).toMatchObject({
      security: { auth: { selectedType: 'oauth' } },
      mcpServers: { docs: { command: 'docs' }, agentx: { trust: true, env: { GEMINI_API_KEY: '$GEMINI_API_KEY' } } },
    });
    expect(links).toEqual({
      '/turn/.gemini/tmp': '/home/ada/.gemini/tmp',
      '/turn/.gemini/oauth_creds.json': '/home/ada/.gemini/oauth_creds.json',
    });
  });

  it.each([
    ['no list', 'name: a\n', /^name: a\nmcpServers:\n {2}- \{"name":"agentx"/],
    ['an empty list', 'mcpServers: []\nname: a\n', /^mcpServers:\n {2}- \{"name":"agentx".*\nname: a\n$/],
    [
      'a list of its own',
      'mcpServers:\n    - name: docs\n',
      /^mcpServers:\n {4}- \{"name":"agentx".*\n {4}- name: docs\n$/,
    ],
    [
      'a list that is not indented',
      'mcpServers:\n- name: docs\n',
      /^mcpServers:\n- \{"name":"agentx".*\n- name: docs\n$/,
    ],
    [
      'our server, as it was installed',
      'mcpServers:\n  - name: docs\n    command: docs\n  - name: agentx\n    command: agentx\n    args: ["mcp"]\n\nmodels: []\n',
      /^mcpServers:\n {2}- \{"name":"agentx".*\n {2}- name: docs\n {4}command: docs\nmodels: \[\]\n$/,
    ],
    [
      'a list on one line',
      'mcpServers: [{name: docs, command: docs}]\n',
      /^mcpServers: \[\{"name":"agentx".*\}, \{name: docs, command: docs\}\]\n$/,
    ],
  ])('continue: adds our server to settings with %s', (_, yaml, expected) => {
    expect(withServer(yaml, server)).toMatch(expected);
  });
});
