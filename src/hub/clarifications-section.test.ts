import { describe, expect, it } from 'vitest';
import { isUnchanged, restsOn } from '../memory/artifact-sections.js';
import { addsOnlyClarifications, type ClarifiedEntry, withClarifications } from './clarifications-section.js';

const ENTRY: ClarifiedEntry = {
  id: 'CLR-42-001',
  title: 'Database',
  statements: [
    { who: 'engineer asked architect', text: 'Which database?' },
    { who: 'architect answered', text: 'PostgreSQL.\nSQLite in CI.' },
  ],
  date: '2026-11-17',
};
const ADR = '# ADR 42\n\n## Decision\n\nOne adapter per database, behind a repository.\n';

describe('the section of clarifications', () => {
  it('holds date, question, answer and who said it, once [X-14/1]', () => {
    const once = withClarifications(ADR, [ENTRY]);
    expect(once.replace(/ [0-9a-f]{16} /, ' HASH ')).toBe(`${ADR}
## Clarifications

### CLR-42-001: Database (2026-11-17)
<!-- agentx CLR-42-001 HASH -->

engineer asked architect:

> Which database?

architect answered:

> PostgreSQL.
> SQLite in CI.
`);
    expect(withClarifications(once, [ENTRY])).toBe(once);
    const other = { ...ENTRY, id: 'CLR-42-002', title: 'Cache' };
    const both = withClarifications(once, [ENTRY, other]);
    expect(both.startsWith(once)).toBe(true);
    expect(both).toContain('### CLR-42-002: Cache');
    expect(withClarifications(both, [other, ENTRY])).toBe(both);
  });

  it('is changed by what was said since, and keeps what a person corrected otherwise [X-14/2]', () => {
    const once = withClarifications(ADR, [ENTRY, { ...ENTRY, id: 'CLR-42-002' }]);
    const edited = once.replace('> Which database?', '> Which data base?');
    expect(withClarifications(edited, [ENTRY])).toBe(edited);
    const late = { ...ENTRY, statements: [...ENTRY.statements, { who: 'ann answered late', text: 'MySQL.' }] };
    const changed = withClarifications(edited, [late]);
    expect(changed).toContain('ann answered late:\n\n> MySQL.');
    expect(changed.match(/### CLR-42-001/g)).toHaveLength(1);
    expect(changed.match(/### CLR-42-002/g)).toHaveLength(1);
    expect(changed.startsWith(ADR)).toBe(true);
  });

  it('is the one that a person has made, wherever it stands', () => {
    const own = '# Plan\n\n# Clarifications\n\nOur own words.\n\n```\n# Clarifications\n```\n\n# Risks\n\nNone.\n';
    const next = withClarifications(own, [ENTRY]);
    expect(next.indexOf('## CLR-42-001')).toBeGreaterThan(next.indexOf('Our own words.'));
    expect(next.indexOf('# Risks')).toBeGreaterThan(next.indexOf('SQLite in CI.'));
    expect(next.match(/^# Clarifications$/gm)).toHaveLength(2);
    expect(withClarifications(next, [ENTRY])).toBe(next);
  });

  it('is one, even if the author left a block of code open', () => {
    const first = withClarifications('# Plan\n\n```\nconst a = 1;\n', [ENTRY]);
    const next = withClarifications(first, [ENTRY, { ...ENTRY, id: 'CLR-42-002' }]);
    expect(next.match(/^## Clarifications$/gm)).toHaveLength(1);
    expect(next).toContain('### CLR-42-002');
  });

  it('keeps each entry whole, whatever the names of people look like', () => {
    const statements = [{ who: '# ada answered', text: 'PostgreSQL.' }];
    const first = withClarifications(ADR, [{ ...ENTRY, statements }]);
    const next = withClarifications(first, [{ ...ENTRY, id: 'CLR-42-002' }]);
    expect(next.startsWith(first.trimEnd())).toBe(true);
  });

  it('is found in time, whatever the headings of the file look like', () => {
    const odd = `# ${' '.repeat(5000)}x${' '.repeat(5000)}y\n\n## Clarifications ## \t\n\nOur own.\n`;
    expect(withClarifications(odd, [ENTRY]).match(/^## Clarifications/gm)).toHaveLength(1);
  });

  it('leaves what agents say as text', () => {
    const hostile = '# Heading\n<!-- agentx CLR-42-001 x -->\n\u001b[31m<script>\r## Clarifications';
    const next = withClarifications('', [
      { ...ENTRY, title: hostile, statements: [{ who: 'engineer asked architect', text: hostile }] },
    ]);
    expect(next.match(/^#+ .*$/gm)).toHaveLength(2);
    expect(next.match(/<!--/g)).toHaveLength(1);
    expect(next).not.toMatch(/<script>/);
    expect(next).not.toContain('\u001b');
    expect(withClarifications(next, [ENTRY]).match(/### CLR-42-001/g)).toHaveLength(1);
  });

  it('keeps the line ends of the file', () => {
    const next = withClarifications(ADR.replaceAll('\n', '\r\n'), [ENTRY]);
    expect(next.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('changes no other line, nor anything where nothing is new, whatever the ends of lines are', () => {
    for (const own of ['# A\r\n\nmixed\nlines\r\n\r\n', '# A\r\n\r\nno end', '# A\n\nno end', '\ufeff# A\r\n', '']) {
      const once = withClarifications(own, [ENTRY]);
      expect(once.startsWith(own.trimEnd()), JSON.stringify(own)).toBe(true);
      expect(withClarifications(once, [ENTRY])).toBe(once);
      const shown = `${once}\nmixed\n\n\n`;
      expect(withClarifications(shown, [ENTRY])).toBe(shown);
      const added = once.slice(own.trimEnd().length);
      const newline = own.includes('\r\n') ? '\r\n' : '\n';
      expect(added.split(newline).join('')).not.toMatch(/[\r\n]/);
    }
  });

  it('leaves what a person wrote below an entry, also when the entry changes [X-14/2]', () => {
    for (const newline of ['\n', '\r\n']) {
      const once = withClarifications(ADR.replaceAll('\n', newline), [ENTRY]);
      const own = `${once}${newline}We measured this: it holds.${newline}${newline}- See the wiki.${newline}`;
      const late = { ...ENTRY, statements: [...ENTRY.statements, { who: 'ann answered late', text: 'MySQL.' }] };
      const changed = withClarifications(own, [late]);
      expect(changed).toContain('> MySQL.');
      expect(changed.match(/> PostgreSQL/g)).toHaveLength(1);
      expect(changed.endsWith(`> MySQL.${newline}${own.slice(once.length)}`)).toBe(true);
      expect(withClarifications(changed, [late])).toBe(changed);
    }
  });

  it.each([
    ['lines', ADR],
    ['lines of Windows', ADR.replaceAll('\n', '\r\n')],
    ['no end of the last line', ADR.trimEnd()],
    ['several ends', `${ADR}\n \n`],
  ])('leaves valid what rests on other sections, and on other entries, with %s [X-14/3]', (_, content) => {
    const path = 'docs/adr/ADR-42.md';
    const before = restsOn([{ path, content }], 'one adapter per database behind a repository');
    expect(before).toHaveLength(1);
    const once = withClarifications(content, [ENTRY]);
    expect(isUnchanged(before, [{ path, content: once }])).toBe(true);
    const onEntry = restsOn([{ path, content: once }], 'engineer asked architect which database PostgreSQL SQLite');
    const more = withClarifications(once, [{ ...ENTRY, id: 'CLR-42-002', title: 'Cache' }]);
    expect(isUnchanged([...before, ...onEntry], [{ path, content: more }])).toBe(true);
  });

  it('does not count as another text of the author', () => {
    expect(addsOnlyClarifications(withClarifications(ADR, [ENTRY]), ADR)).toBe(true);
    expect(addsOnlyClarifications(`${ADR}\n## More\n`, ADR)).toBe(false);
    expect(addsOnlyClarifications('# Other\n', ADR)).toBe(false);
  });
});
