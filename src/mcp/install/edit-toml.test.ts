import { describe, expect, it } from 'vitest';
import { readToml, removeTomlTable, setTomlTable } from './edit-toml.js';

const PATH = ['mcp_servers', 'agentx'];
const ENTRY = { command: 'agentx', args: ['mcp'], required: true, tool_timeout_sec: 900 };
const LINES = '[mcp_servers.agentx]\ncommand = "agentx"\nargs = ["mcp"]\nrequired = true\ntool_timeout_sec = 900';
const install = (text: string) => setTomlTable(text, PATH, ENTRY);
const uninstall = (text: string) => removeTomlTable(text, PATH);

const FILES = [
  '',
  'model = "x" # mine\n',
  'model = "x"',
  '# only a comment\n',
  'model = "x"\r\n\r\n[projects."/a b"]\r\ntrust_level = "trusted"\r\n',
  '\uFEFFmodel = "x"\n',
  '[mcp_servers.other]\ncommand = "x"\nargs = [\n  "[mcp_servers.agentx]", # no header\n]\n\n[mcp_servers.other.env]\nA = "1"\n',
  'text = """\n[mcp_servers.agentx]\ncommand = "no"\n"""\n\n[[list]]\na = 1\n[[list]]\na = 2\n',
];

describe('a TOML file', () => {
  it.each(FILES)('gets a table at its end, and keeps everything else: %j', (text) => {
    const after = install(text);
    expect(after.startsWith(text)).toBe(true);
    expect(after.replaceAll('\r\n', '\n')).toContain(LINES);
    expect(/[^\r]\n/.test(after)).toBe(!text.includes('\r'));
    expect(readToml(after).mcp_servers).toMatchObject({ agentx: ENTRY });
    expect(install(after)).toBe(after);
  });

  it.each(FILES)('is what it was after adding and removing: %j', (text) => {
    expect(uninstall(install(text))).toBe(text);
  });

  it('changes the values of a table in place and keeps its comments, other keys and tables below it', () => {
    const text =
      '[ mcp_servers . "agentx" ] # ours\ncommand = "/old/agentx" # where\nenabled = false\n\n# about env\n[mcp_servers.agentx.env]\nA = "1"\n\n[z]\n';
    expect(install(text)).toBe(
      '[ mcp_servers . "agentx" ] # ours\ncommand = "agentx" # where\nenabled = false\nargs = ["mcp"]\nrequired = true\ntool_timeout_sec = 900\n\n# about env\n[mcp_servers.agentx.env]\nA = "1"\n\n[z]\n',
    );
  });

  it('replaces a value of several lines', () => {
    const text = `${LINES.replace('["mcp"]', '[\n  "old", # ]\n  "er"\n]')}\n\n[z]\n`;
    expect(install(text)).toBe(`${LINES}\n\n[z]\n`);
  });

  it('loses the table and those below it, wherever they stand', () => {
    const text = `a = 1\n\n${LINES}\n\n# z\n[z]\nb = 2\n\n[mcp_servers.agentx.env]\nA = "1"\n`;
    expect(uninstall(text)).toBe('a = 1\n\n# z\n[z]\nb = 2\n');
  });

  it('needs no change if the table says the same in another notation', () => {
    const text =
      'mcp_servers.agentx = { command = "agentx", args = ["mcp"], required = true, tool_timeout_sec = 900 }\n';
    expect(install(text)).toBe(text);
  });

  it.each([
    'mcp_servers = { other = { command = "x" } }\n',
    '[mcp_servers]\nagentx = { command = "old" }\n',
    '[mcp_servers]\nagentx.command = "old"\n',
  ])('is left alone, with what to write by hand, if its notation is not ours: %j', (text) => {
    expect(() => install(text)).toThrow(
      expect.objectContaining({
        todo: expect.stringContaining('Write this there by hand:\n[mcp_servers.agentx]\ncommand = "agentx"'),
      }),
    );
  });

  it.each([
    ['model = ', /no valid TOML on line 1/],
    ['a = 1\na = 2\n', /no valid TOML on line 2/],
    ['mcp_servers = 3\n', /something else than a table|not edited here/],
    ['[mcp_servers]\nagentx = 3\n', /something else than a table/],
  ])('is refused if it is broken: %j', (text, problem) => {
    expect(() => install(text)).toThrow(problem);
  });
});
