import { describe, expect, it } from 'vitest';
import { Lines } from './bounded-lines.js';

async function passedOn(chunks: readonly string[], maxBytes = 10): Promise<{ text: string; dropped: number }> {
  let droppedCount = 0;
  const lines = new Lines(maxBytes, () => {
    droppedCount++;
  });
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  let text = '';
  for await (const part of lines) text += part;
  return { text, dropped: droppedCount };
}

describe('the lines of a client', () => {
  it('arrive whole, however they were cut on the way', async () => {
    expect(await passedOn(['a\nb', 'c\n', '\n', 'd'])).toEqual({ text: 'a\nbc\n\n', dropped: 0 });
  });

  it('are dropped if they are too long, and those after them arrive', async () => {
    const long = 'x'.repeat(50);
    expect(await passedOn(['ok\n', long, long, `\nok\n${long}\n`, 'ok\n'])).toEqual({
      text: 'ok\nok\nok\n',
      dropped: 2,
    });
  });
});
