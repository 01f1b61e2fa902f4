import { describe, expect, it } from 'vitest';
import { readYaml, removeYamlItem, setYamlItem } from './edit-yaml.js';

const ENTRY = { name: 'agentx', command: 'agentx', args: ['mcp'] };
const install = (text: string) => setYamlItem(text, 'mcpServers', ENTRY);
const uninstall = (text: string) => removeYamlItem(text, 'mcpServers', 'agentx');

const FILES = [
  '',
  'name: Local\nversion: 1.0.0\n# models\nmodels: []\n',
  'name: Local',
  'name: Local\r\nmodels:\r\n  - name: a # one\r\n    roles: [chat]\r\n',
  '\uFEFFname: Local\n',
  'mcpServers:\n  - name: other\n    command: x\n    args:\n      - "-y"\n  # last\nmodels: []\n',
  'mcpServers:\n- name: other\n  command: x # why\nmodels: []\n',
  'mcpServers:\n    -   name: other\n        prompt: |\n            a\n            b\n\nmodels: []\n',
];

describe('a YAML file', () => {
  it.each(FILES)('gets an item beside the others, and keeps everything else: %j', (text) => {
    const after = install(text);
    expect(readYaml(after).mcpServers).toEqual(expect.arrayContaining([ENTRY]));
    expect(/[^\r]\n/.test(after)).toBe(!text.includes('\r'));
    for (const line of text.split(/\r?\n/)) expect(after).toContain(line);
    expect(install(after)).toBe(after);
  });

  it.each(FILES)('is what it was after adding and removing: %j', (text) => {
    expect(uninstall(install(text))).toBe(text);
  });

  it('writes the item as people do', () => {
    expect(install('models: []\n')).toBe(
      'models: []\nmcpServers:\n  - name: agentx\n    command: agentx\n    args: ["mcp"]\n',
    );
  });

  it.each([
    'mcpServers:\nmodels: []\n',
    'mcpServers: []\nmodels: []\n',
    'mcpServers: null # none\nmodels: []\n',
    'mcpServers: [{ name: other, command: x }]\n',
  ])('takes a list that is empty or on one line: %j', (text) => {
    const after = install(text);
    expect(readYaml(after).mcpServers).toEqual(expect.arrayContaining([ENTRY]));
    expect(install(after)).toBe(after);
  });

  it('changes the values of the item in place and keeps its other keys', () => {
    const text =
      'mcpServers:\n  - name: agentx\n    # where\n    command: /old/agentx\n    env:\n      A: "1"\n    args:\n      - old\n      - er\nmodels: []\n';
    expect(install(text)).toBe(
      'mcpServers:\n  - name: agentx\n    # where\n    command: agentx\n    env:\n      A: "1"\n    args:\n      ["mcp"]\nmodels: []\n',
    );
  });

  it('adds what the item lacks', () => {
    const text = 'mcpServers:\n  - name: agentx\n    command: agentx\nmodels: []\n';
    expect(install(text)).toBe('mcpServers:\n  - name: agentx\n    command: agentx\n    args: ["mcp"]\nmodels: []\n');
  });

  it('is left alone, with what to write by hand, if its notation is not ours', () => {
    const byHand = 'Write this there by hand:\nmcpServers:\n  - name: agentx\n';
    expect(() => install('{ models: [] }\n')).toThrow(
      expect.objectContaining({ todo: expect.stringContaining(byHand) }),
    );
    const removing = () => uninstall('mcpServers: [{ name: agentx }, { name: b }]\n');
    expect(removing).toThrow(expect.objectContaining({ todo: "Remove 'agentx' there by hand." }));
  });

  it.each([
    ['a: [', /no valid YAML on line 1/],
    ['a: 1\na: 2\n', /no valid YAML/],
    ['- a\n', /something else than keys/],
    ['mcpServers: 3\n', /something else than a list/],
    ['a: 1\n---\nb: 2\n', /no valid YAML/],
  ])('is refused if it is broken: %j', (text, problem) => {
    expect(() => install(text)).toThrow(problem);
  });
});
