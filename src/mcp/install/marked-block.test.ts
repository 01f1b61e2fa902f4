import { describe, expect, it } from 'vitest';
import { hasBlock, removeBlock, setBlock } from './marked-block.js';

const LINES = ['## Ask', '', 'Ask instead of guessing.'];
const FILES = [
  '# Mine\n',
  '# Mine',
  '# Mine\n\n',
  'a\r\n\r\nb\r\n',
  '\uFEFF# Mine\n',
  '\n',
  'See `<!-- agentx:begin` here.\n',
];

describe('our block in a file of instructions', () => {
  it('stands at the end, after a blank line', () => {
    const text = setBlock('# Mine\n', LINES);
    expect(text).toMatch(
      /^# Mine\n\n<!-- agentx:begin .* -->\n## Ask\n\nAsk instead of guessing\.\n<!-- agentx:end -->\n$/,
    );
  });

  it.each(FILES)('leaves the file as it was when it is removed: %j', (text) => {
    const after = setBlock(text, LINES);
    expect(after.startsWith(text)).toBe(true);
    expect(hasBlock(after)).toBe(true);
    expect(setBlock(after, LINES)).toBe(after);
    expect(/[^\r]\n/.test(after)).toBe(!text.includes('\r'));
    expect(removeBlock(after)).toBe(text.trim() === '' ? '' : text);
  });

  it('is replaced where it stands, between texts of the user', () => {
    const oldText = setBlock('# Before\n', ['old']);
    const text = `${oldText}\n# After\n`;
    expect(setBlock(text, LINES)).toBe(text.replace('\nold\n', `\n${LINES.join('\n')}\n`));
    expect(removeBlock(text)).toBe('# Before\n\n# After\n');
  });

  it('leaves nothing of a file that held nothing else, front matter included', () => {
    expect(removeBlock(setBlock('', LINES))).toBe('');
    expect(removeBlock(setBlock('---\nalwaysApply: true\n---\n', LINES))).toBe('');
    expect(removeBlock(setBlock('---\na: 1\n---\nText.\n', LINES))).toBe('---\na: 1\n---\nText.\n');
  });

  it('is no block if one of its two comments is missing or there twice', () => {
    const wholeText = setBlock('', LINES);
    const noEnd = wholeText.replace('<!-- agentx:end -->\n', '');
    for (const text of [noEnd, wholeText.slice(wholeText.indexOf('\n') + 1), wholeText + wholeText]) {
      expect(() => setBlock(text, LINES)).toThrow('without the other');
      expect(() => removeBlock(text)).toThrow('without the other');
    }
  });

  it('is nothing to remove where there is none', () => {
    expect(removeBlock('# Mine\n')).toBe('# Mine\n');
    expect(removeBlock('')).toBe('');
  });
});
