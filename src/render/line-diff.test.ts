import { describe, expect, it } from 'vitest';
import { diffText, lineDiff } from './line-diff.js';

const shownDiff = (before: string, after: string) => lineDiff(before, after).map(diffText);

describe('a diff', () => {
  it('shows what joins a file, with a few lines around it', () => {
    const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const before = `${lines.join('\n')}\n`;
    const after = before.replace('e\n', 'e\nnew\n');
    expect(shownDiff(before, after)).toEqual(['  ...', '  c', '  d', '  e', '+ new', '  f', '  g', '  h']);
  });

  it('is made in time that grows with its lines', () => {
    const before = process.cpuUsage();
    lineDiff('', 'x'.repeat(200_000));
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('shows a changed line as removed and added', () => {
    expect(shownDiff('a\nb\nc\n', 'a\nB\nc\n')).toEqual(['  a', '- b', '+ B', '  c']);
  });

  it('shows changes that lie apart, each with its own lines', () => {
    const lines = Array.from({ length: 20 }, (_, index) => String(index));
    const after = ['first', ...lines, 'last'];
    const diff = shownDiff(lines.join('\n'), after.join('\n'));
    expect(diff).toEqual(['+ first', '  0', '  1', '  2', '  ...', '  17', '  18', '  19', '+ last']);
  });

  it('shows a new file whole, and nothing if nothing changes', () => {
    expect(shownDiff('', 'a\r\nb\r\n')).toEqual(['+ a', '+ b']);
    expect(shownDiff('a\n', 'a\n')).toEqual([]);
  });

  it('hides what looks like a secret, in lines that stay too', () => {
    const before = '{\n  "env": { "API_KEY": "sk-\\"123", "A": "1" },\n  token = \'abc\'\n}';
    const diff = shownDiff(before, before.replace('}', '},\n"agentx": 1\n}')).join('\n');
    expect(diff).not.toMatch(/sk-|abc/);
    expect(diff).toContain('"API_KEY": "...", "A": "1"');
  });

  it('cuts a line that holds a whole file', () => {
    const diff = shownDiff(`{${'"a":1,'.repeat(500)}}`, `{${'"a":1,'.repeat(500)}"agentx":{}}`);
    for (const line of diff) expect(line.length).toBeLessThan(260);
    expect(diff[1]).toContain('"agentx":{}');
  });

  it('copes with files of many thousand lines', () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index}`);
    const diff = shownDiff(lines.join('\n'), ['x', ...lines, 'y'].reverse().join('\n'));
    expect(diff.length).toBeGreaterThan(60_000);
  });
});
