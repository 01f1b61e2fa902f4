import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../test/builders/refusal.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Config } from '../protocol/config.js';
import { loadConfig, parseConfig } from './config.js';

const FILE = '.agentx/config.toml';
const parse = (text: string): Config => parseConfig(text, { file: FILE, project: 'shop' });
const messageOf = (text: string): string => {
  const refusal = refusalOf(() => parse(text));
  expect(refusal.code).toBe('CONFIG_ERROR');
  return refusal.message;
};

describe('config.toml', () => {
  it('may be absent: then everything has its default and the project is called like its folder', () => {
    const repository = join(temporaryFolder(), 'my shop');
    mkdirSync(join(repository, '.agentx'), { recursive: true });
    const config = loadConfig(join(repository, '.agentx'));
    expect(config).toMatchObject({ mode: 'local', project: 'my shop', clarify: { retry_seconds: 30 } });
  });

  it('is read from the folder, anew each time', () => {
    const root = join(temporaryFolder(), '.agentx');
    mkdirSync(root);
    writeFileSync(join(root, 'config.toml'), 'project = "first"\n');
    expect(loadConfig(root).project).toBe('first');
    writeFileSync(join(root, 'config.toml'), '\uFEFFproject = "second"\r\n[server]\r\nport = 5000\r\n');
    expect(loadConfig(root)).toMatchObject({ project: 'second', server: { port: 5000 } });
  });

  it('cannot be a folder', () => {
    const root = join(temporaryFolder(), '.agentx');
    mkdirSync(join(root, 'config.toml'), { recursive: true });
    expect(refusalOf(() => loadConfig(root)).code).toBe('STORE_ERROR');
  });

  it("takes the contract's example", () => {
    const config = parse(`mode = "local"
project = "shop"
[agents.architect]
runner = "command"
command = ["node", "architect.mjs"]
[agents.engineer]
runner = "model"
model = "openai/gpt-5"
base_url = "http://127.0.0.1:11434/v1"
[autonomy]
level = "major_only"
scope_changes = "requires_approval"
architecture_decisions = "requires_approval"
dependency_modifications = "automated"
[human]
fallback_minutes = 5
[memory]
enabled = true
max_tokens = 20000
[github]
repo = "owner/name"
mention = ["octocat"]
[server]
port = 4820
[store]
url = ""
[clarify]
retry_seconds = 30
`);
    expect(config.agents.architect).toEqual({
      runner: 'command',
      command: ['node', 'architect.mjs'],
      timeout_seconds: 600,
    });
    expect(config.github).toEqual({ repo: 'owner/name', mention: ['octocat'] });
  });
});

describe('a wrong config.toml is refused with file, line, key and what is allowed', () => {
  it.each([
    ['mod = "local"', "line 1: unknown key 'mod'. Did you mean 'mode'? Allowed: mode, project, agents,"],
    ['\n[server]\nprt = 1', "line 3: unknown key 'server.prt'. Did you mean 'port'? Allowed: port."],
    ['[servr]\nport = 1', "line 1: unknown key 'servr'. Did you mean 'server'?"],
    ['mode = "locl"', `line 1: 'mode' can only be "local" or "github": issues are files in .agentx, or GitHub's`],
    ['mode = 1', `line 1: 'mode' can only be "local" or "github"`],
    ['[github]\nmention = ["@octocat"]', `line 2: 'github.mention[0]' must be a user name such as "octocat"`],
    ['project = ""', `line 1: 'project' must not be empty.`],
    ['agents = 3', "line 1: 'agents' must be a table, not 3."],
    ['server = 2026-11-17', "line 1: 'server' must be a table."],
    ['[memory]\nenabled = 2026-11-17', "line 2: 'memory.enabled' must be true or false."],
    [
      '[server]\nport = 9223372036854775807',
      "line 2: 'server.port' must be a whole number from 0 to 65535, not 9223372036854775807.",
    ],
    [
      '[autonomy]\nlevel = "all"',
      `line 2: 'autonomy.level' must be "confirm_all" or "major_only" or "full", not "all".`,
    ],
    ['[server]\nport = 70000', "line 2: 'server.port' must be a whole number from 0 to 65535, not 70000."],
    ['[server]\nport = "4820"', `line 2: 'server.port' must be a whole number from 0 to 65535, not "4820".`],
    ['[memory.weights]\nrecall = 2', "line 2: 'memory.weights.recall' must be a number from 0 to 1, not 2."],
    [
      '[agents.a]\nrunner = "command"\ncommand = [""]',
      "line 3: 'agents.a.command' must name a program: a list of words",
    ],
    ['[human]\nfallback_minutes = -1', "line 2: 'human.fallback_minutes' must be a number of minutes from 0 to 525600"],
    ['[memory]\nenabled = "yes"', `line 2: 'memory.enabled' must be true or false, not "yes".`],
    ['[github]\nrepo = "name"', "line 2: 'github.repo' must name a repository as owner/name"],
    ['[github]\nmention = "octocat"', "line 2: 'github.mention' must be a list of user names"],
    [
      '[store]\nurl = "mysql://x"',
      `line 2: 'store.url' can only be "" in this version: records are files in .agentx, not yet in a database.`,
    ],
    ['[agents.engineer]\nruner = "human"', "line 2: unknown key 'agents.engineer.runer'. Did you mean 'runner'?"],
    [
      '[agents.engineer]\nrunner = "gemini"\nmodel = "--yolo"',
      `line 3: 'agents.engineer.model' must be the name of a model. It begins with a dash: gemini would take it for an option`,
    ],
    ['[agents.engineer]\nrunner = "magic"', `line 2: 'agents.engineer.runner' must be "command" or "script" or`],
    ['[agents.engineer]', `line 1: 'agents.engineer.runner' is missing: it must be "command" or`],
    [
      '[agents.engineer]\nrunner = "command"',
      `line 1: 'agents.engineer.command' is missing: it must be given for runner`,
    ],
    [
      '[agents.engineer]\nrunner = "command"\ncommand = "node x"',
      `line 3: 'agents.engineer.command' must be a list of words such as ["node", "architect.mjs"], not "node x".`,
    ],
    [
      '[agents.engineer]\nrunner = "human"\nscript = "x"',
      `line 3: 'agents.engineer.script' is not for runner "human", which takes runner, timeout_seconds`,
    ],
    ['[agents."The Poet"]\nrunner = "human"', "line 1: 'agents.The Poet' must be a lower-case name such as"],
    [
      'mode = "local"\n[agents.human]\nrunner = "human"',
      `line 2: 'agents.human' is a reserved name, as are agent-x, memory: give the agent another one. ` +
        `A person has runner = "human" and a name like any agent.`,
    ],
    ['[agents.memory]\nrunner = "human"', "line 1: 'agents.memory' is a reserved name, as are agent-x, human:"],
    ['[agents.__proto__]\nrunner = "human"', "line 1: 'agents' must not have the key __proto__."],
    [
      '[agents.pm]\nrunner = "human"\n[agents.product-manager]\nrunner = "human"',
      "line 1: 'agents.pm' is another name of 'product-manager', which has a table too",
    ],
  ])('%j', (text, message) => {
    expect(messageOf(text)).toContain(`${FILE}, ${message}`);
  });

  it('counts a key once, however much is wrong with it', () => {
    expect(messageOf('[[notify]]\nchannel = "webhook"\nurl = "x"\n')).toMatch(/, not "x"\.$/);
    expect(messageOf('[[notify]]\nchannel = "webhook"\nurl = "x"\n[server]\nport = -1\n')).toMatch(
      / \(1 more problem /,
    );
  });

  it('for text that is not TOML', () => {
    expect(messageOf('mode = "local"\nproject = shop\n')).toMatch(
      /^\.agentx\/config\.toml, line 2, column \d+: not valid TOML: /,
    );
  });

  it('never shows a password or more than a glimpse of a huge value', () => {
    expect(messageOf('[store]\nurl = "mysql://me:secret@host/name"')).not.toContain('secret');
    expect(messageOf(`mode = "${'x'.repeat(100_000)}"`).length).toBeLessThan(200);
  });
});

describe('docs/configuration.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');

  it.each([
    '',
    '[autonomy]',
    '[human]',
    '[run]',
    '[clarify]',
    '[memory]',
    '[memory.weights]',
    '[github]',
    '[server]',
    '[store]',
    '[agents.poet]',
    '[prices."openai/gpt-5"]',
  ])('names every key of %j', (table) => {
    const [, keys = ''] = /Allowed: ([\w, ]+)\./.exec(messageOf(`${table}\nno_such_key = 1\n`)) ?? [];
    expect(keys).not.toBe('');
    expect(keys.split(', ').filter((key) => !new RegExp(`\\b${key}\\b`).test(page))).toEqual([]);
  });

  it('shows settings that load, and they are the defaults', () => {
    const [example = '', agents = ''] = [...page.matchAll(/```toml\n([\s\S]*?)```/g)].map((match) => match[1]);
    expect({ ...parse(example), agents: {}, github: { mention: [] }, notify: [] }).toEqual(parse(''));
    const [channel] = parse(example).notify;
    expect(channel).toEqual(
      parse('[[notify]]\nchannel = "webhook"\nurl = "env:AGENTX_WEBHOOK"\nsecret = "env:AGENTX_WEBHOOK_KEY"').notify[0],
    );
    expect(Object.keys(parse(agents).agents)).toEqual(['poet']);
  });
});
