import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editJson, readJson } from './edit-json.js';

const ENTRY = { command: 'agentx', args: ['mcp'] };
const install = (text: string) => editJson(text, (file) => file.set(['mcpServers', 'agentx'], ENTRY));
const uninstall = (text: string) =>
  editJson(text, (file) => {
    file.remove(['mcpServers', 'agentx']);
    if (Object.keys(Object(file.value(['mcpServers']))).length === 0) file.remove(['mcpServers']);
  });

describe('a JSON file with comments', () => {
  it('gets an entry beside the others, in its own indentation', () => {
    expect(install('{\n    // mine\n    "mcpServers": {\n        "a": {"command": "b"} // first\n    }\n}\n')).toBe(
      [
        '{',
        '    // mine',
        '    "mcpServers": {',
        '        "a": {"command": "b"}, // first',
        '        "agentx": {',
        '            "command": "agentx",',
        '            "args": ["mcp"]',
        '        }',
        '    }',
        '}',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['tabs', '{\n\t"a": 1\n}\n', '\t"mcpServers": {\n\t\t"agentx": {\n\t\t\t"command"'],
    [
      'Windows line ends',
      '{\r\n  "a": 1\r\n}\r\n',
      '"a": 1,\r\n  "mcpServers": {\r\n    "agentx": {\r\n      "command"',
    ],
    ['a byte order mark', '\uFEFF{\n  "a": 1\n}', '\uFEFF{\n  "a": 1,\n  "mcpServers"'],
    ['a comma after the last key', '{\n  "a": 1,\n}\n', '  },\n}\n'],
    ['one line', '{"a":1}', '{"a":1,"mcpServers":{"agentx":{"command":"agentx","args":["mcp"]}}}'],
    ['one line with blanks', '{ "a": 1 }', '{ "a": 1, "mcpServers": {'],
    ['nothing', '', '{\n  "mcpServers": {\n    "agentx": {\n'],
    ['an empty object', '{}\n', '{\n  "mcpServers": {\n'],
    ['nothing but a comment', '// mine\n', '// mine\n{\n  "mcpServers": {\n'],
    ['nothing but a comment without a line end', '/* mine */', '/* mine */\n{\n  "mcpServers": {\n'],
    ['an object with a comment', '{\n  // none yet\n}\n', '{\n  // none yet\n  "mcpServers": {\n'],
  ])('keeps %s', (_what, before, part) => {
    const after = install(before);
    expect(after).toContain(part);
    expect(readJson(after)).toEqual({ ...Object(readJson(before)), mcpServers: { agentx: ENTRY } });
    expect(install(after)).toBe(after);
  });

  it.each([
    '{\n  "a": 1\n}\n',
    '{\n  "a": 1,\n}\n',
    '{\r\n\t"a": { "b": [1, 2] } // end\r\n}',
    '{"a":1}',
    '{ "a": 1 }',
    '{\n  "mcpServers": {\n    "other": { "command": "x" } /* last */\n  },\n  "z": null\n}\n',
    '{\n  "mcpServers": {\n    "other": { "command": "x" },\n  },\n}\n',
    '{}\n',
    '{\n  // none yet\n}\n',
  ])('is what it was after adding and removing: %j', (text) => {
    expect(uninstall(install(text))).toBe(text);
  });

  it.each([
    ['{ // mine\n  "mcpServers": { "agentx": {} } }\n', '{ // mine\n   }\n'],
    ['{ // mine\n  "mcpServers": { "agentx": {} }, "a": 1 }\n', '{ // mine\n   "a": 1 }\n'],
    ['{ "a": 1, // see /* here\n  "mcpServers": { "agentx": {} } }\n', '{ "a": 1 // see /* here\n   }\n'],
    ['{ "a": 1, /* a // */\n  "mcpServers": { "agentx": {} } }\n', '{ "a": 1 /* a // */ }\n'],
  ])('leaves what follows on the line of the entry outside of the comment in front of it: %j', (before, after) => {
    expect(uninstall(before)).toBe(after);
  });

  it('keeps the value and the comments of other keys, whatever they are', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    const style = fc.constantFrom<string | number | undefined>(undefined, 1, 2, 4, '\t');
    fc.assert(
      fc.property(object, style, (value, indent) => {
        const before = JSON.stringify(value, null, indent);
        fc.pre(typeof Object(value).mcpServers !== 'object');
        fc.pre(!('mcpServers' in value));
        const after = install(before);
        expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), mcpServers: { agentx: ENTRY } });
        expect(JSON.parse(uninstall(after))).toEqual(JSON.parse(before));
      }),
      { numRuns: 200 },
    );
  });

  it('changes one value of an entry and leaves the rest as it is written', () => {
    const text = '{\n  "mcpServers": { "agentx": { "command": "old", "timeout": 5, /* why */ "env": {} } }\n}\n';
    const after = editJson(text, (file) => file.set(['mcpServers', 'agentx', 'command'], 'new'));
    expect(after).toBe(text.replace('old', 'new'));
  });

  it('takes the last of two keys of one name, as clients do', () => {
    const after = editJson('{"a": {"x": 1}, "a": {"y": 2}}', (file) => file.set(['a', 'z'], 3));
    expect(JSON.parse(after)).toEqual({ a: { y: 2, z: 3 } });
  });

  it('appends to a list and removes from it', () => {
    const text = '{\n  "hooks": {\n    "SessionStart": [\n      { "a": 1 }\n    ]\n  }\n}\n';
    const after = editJson(text, (file) => file.append(['hooks', 'SessionStart'], { b: [2] }));
    expect(JSON.parse(after).hooks.SessionStart).toEqual([{ a: 1 }, { b: [2] }]);
    expect(editJson(after, (file) => file.remove(['hooks', 'SessionStart', 1]))).toBe(text);
  });

  it.each([
    ['{"a": 1', /no valid JSON: CloseBraceExpected on line 1/],
    ['{\n"a": 1 "b": 2}', /line 2/],
    ['[]', /a list instead of an object/],
    ['{"mcpServers": []}', /a list at 'mcpServers' instead of an object/],
    ['mcpServers: {}', /no valid JSON/],
  ])('is refused if it is broken: %j', (text, problem) => {
    expect(() => install(text)).toThrow(problem);
  });
});
