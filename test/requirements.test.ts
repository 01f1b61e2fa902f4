import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citedIds, collectCitations } from './requirements/citations.js';
import { requirements } from './requirements.js';
import { uncited } from './requirements-uncited.js';

const root = join(import.meta.dirname, '..');
const write = process.env.AGENTX_WRITE_REQUIREMENTS === '1';

const groups = [
  ...['US-1.1', 'US-1.2', 'US-1.3', 'US-2.1', 'US-2.2', 'US-2.3', 'US-3.1', 'US-3.2', 'US-4.1', 'US-4.2'],
  ...['US-5.1', 'US-5.2', 'US-5.3', 'US-5.4', 'US-5.5', 'US-6.1', 'US-6.2', 'US-6.3', 'US-7.1', 'US-7.2', 'US-7.3'],
  ...numbered('CL', 7),
  ...numbered('ME', 14),
  ...numbered('PM', 8),
  ...numbered('OQ', 9),
  ...numbered('X', 14),
];

/** The two lists of 003 8.3. The second one is numbered there. */
const scenarios = [
  ...['Lock acquire/release', 'Stale lock cleanup', 'Concurrent writers', 'Lock timeout', 'Scope validation'],
  ...['Round limit enforcement', 'Stale detection', 'Stuck detection', 'Deadlock detection', 'TOML parsing'],
  ...['EventBus events', 'Chat rendering', 'CLI rendering', 'Full flow (happy path)', 'Full flow (escalation)'],
  ...['Local Mode parity', 'GitHub Mode sync'],
];
const memoryScenarios = Array.from({ length: 12 }, (_, index) => `T${index + 1}`);

describe('the requirements', () => {
  it('have unique, well-formed ids in exactly the groups of the product page', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^(US-\d\.\d|(CL|ME|PM|OQ|X)-\d+)\/[1-9]\d*$/.test(id))).toEqual([]);
    expect([...new Set(ids.map((id) => id.replace(/\/.*/, '')))].sort()).toEqual([...groups].sort());
  });

  it('are one ASCII sentence each, said once, with a source', () => {
    const texts = requirements.map(({ text }) => text);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
    expect(texts.filter((text) => !/^[\x20-\x7e]+\.$/.test(text))).toEqual([]);
    expect(requirements.filter(({ source }) => source === '')).toEqual([]);
  });

  it('contain both lists of test scenarios of seed 003', () => {
    expect(scenarios.filter((name) => !requirements.some(({ source }) => source.includes(`003 8.3 ${name}`)))).toEqual(
      [],
    );
    const memory = requirements.filter(({ source }) => source.startsWith('003 memory'));
    const ids = new Set(memory.flatMap(({ source }) => source.match(/\bT\d+\b/g) ?? []));
    expect(memoryScenarios.filter((name) => !ids.has(name))).toEqual([]);
  });
});

describe('the citations in test titles', () => {
  const citations = collectCitations(root, ['src', 'test', 'web', 'extension'], ['test/requirements.test.ts']);
  const knownIds = new Set(requirements.map(({ id }) => id));
  const cited = new Set(citations.map(({ id }) => id));
  const open = requirements.map(({ id }) => id).filter((id) => !cited.has(id));

  it('name requirements that exist', () => {
    const unknown = citations.filter(({ id }) => !knownIds.has(id)).map(({ id, file }) => `[${id}] in ${file}`);
    expect(unknown, 'cite one id per pair of brackets, as test/requirements/ has it').toEqual([]);
  });

  it('leave exactly the listed requirements uncited', () => {
    console.log(`requirements: ${requirements.length - open.length} of ${requirements.length} cited`);
    if (write) {
      writeFileSync(join(root, 'test/requirements-uncited.ts'), listing(open));
      return;
    }
    const listed = new Set(uncited);
    const nowCited = uncited.filter((id) => cited.has(id));
    expect.soft(nowCited, 'cited, but still listed: remove them with npm run requirements -- --write').toEqual([]);
    const lost = open.filter((id) => !listed.has(id));
    expect
      .soft(lost, 'not cited by any test: they lost their last citation, or are new and not listed yet')
      .toEqual([]);
    const gone = uncited.filter((id) => !knownIds.has(id));
    expect.soft(gone, 'listed, but no such requirement: remove them with npm run requirements -- --write').toEqual([]);
  });
});

describe('finding citations', () => {
  const idsIn = (text: string) => citedIds('some.test.ts', text);

  it('takes every id of a title, from tests and blocks of tests', () => {
    expect(idsIn("it('locks [US-1.1/1] [US-1.2/3]', () => {})")).toEqual(['US-1.1/1', 'US-1.2/3']);
    expect(idsIn("describe('a', () => { test('b [X-1/2]', () => {}); })")).toEqual(['X-1/2']);
  });

  it('understands each, skipIf, templates and sums', () => {
    expect(idsIn("it.each([1, 2])('%i [CL-1/1]', () => {})")).toEqual(['CL-1/1']);
    expect(idsIn("it.each`a\n1`('[CL-1/1]', () => {})")).toEqual(['CL-1/1']);
    expect(idsIn("it.skipIf(isRoot)('reads [CL-1/1]', () => {})")).toEqual(['CL-1/1']);
    expect(idsIn('it(`$' + '{store} [ME-1/2] $' + '{kind} [ME-1/3]`, () => {})')).toEqual(['ME-1/2', 'ME-1/3']);
    expect(idsIn("it('a' + ' [ME-1/2]', () => {})")).toEqual(['ME-1/2']);
  });

  it('ignores comments, other strings and other calls', () => {
    expect(idsIn("// it('[US-1.1/1]')\nconst a = '[US-1.1/1]'; log('[US-1.1/1]'); it('plain', () => a)")).toEqual([]);
  });

  it('ignores what is skipped, still to do or expected to fail, with all that is inside it', () => {
    expect(idsIn("it.skip('[US-1.1/1]', () => {}); it.todo('[US-1.1/2]'); it.fails('[X-1/1]', f)")).toEqual([]);
    expect(idsIn("describe.skip('a', () => { it('[US-1.1/1]', () => {}); })")).toEqual([]);
  });

  it('follows the imports of test files, stays out of node_modules and leaves out what it is told to', () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentx-citations-'));
    try {
      const files = {
        'src/lock.test.ts': "import { suite } from '../test/suite.js'; it('[X-1/1]', suite)",
        'test/suite.ts': "export const suite = () => { it('[X-1/2]', () => {}); }",
        'test/unused.ts': "it('[X-1/3]', () => {})",
        'test/node_modules/other.test.ts': "it('[X-1/4]', () => {})",
        'test/self.test.ts': "it('[X-2/1]', () => {})",
        'bench/limits.ts': "target('reading [X-3/1]', '<=', 1, measured)",
      };
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      const citations = collectCitations(folder, ['src', 'test', 'web'], ['test/self.test.ts']);
      expect(citations.map(({ id, file }) => `${id} ${file}`).sort()).toEqual([
        'X-1/1 src/lock.test.ts',
        'X-1/2 test/suite.ts',
        'X-3/1 bench/limits.ts',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('hands on what looks like an id but is none, for the check to refuse', () => {
    expect(idsIn("it('[US-1.1] [X-1/1, X-1/2]', () => {})")).toEqual(['US-1.1', 'X-1/1, X-1/2']);
  });
});

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
}

function listing(ids: readonly string[]): string {
  return [
    '/** Written by `npm run requirements -- --write`: what no test cites yet. It should only ever get shorter. */',
    '// biome-ignore format: one id per line, so that two branches can both take some out',
    'export const uncited: readonly string[] = [',
    ...ids.map((id) => `  '${id}',`),
    '];',
    '',
  ].join('\n');
}
