import { describe, expect, it } from 'vitest';
import { VirtualTerminal } from '../../../test/support/virtual-terminal.js';
import { LiveScreen } from './live-screen.js';

function aScreen(size?: { columns: number; rows: number }) {
  const terminal = new VirtualTerminal(size);
  return { terminal, screen: new LiveScreen(terminal, (text) => terminal.write(text)) };
}

describe('the live screen', () => {
  it('keeps lines that change below the text that is printed', () => {
    const { terminal, screen } = aScreen();
    screen.print('first');
    screen.show(['engineer |', 'architect |']);
    screen.print('second\nthird');
    screen.show(['engineer /']);
    expect(terminal.text()).toBe('first\nsecond\nthird\nengineer /');
  });

  it('leaves nothing of them when it ends', () => {
    const { terminal, screen } = aScreen();
    screen.print('first');
    screen.show(['one', 'two', 'three']);
    screen.end();
    screen.print('last');
    expect(terminal.text()).toBe('first\nlast');
    expect(terminal.writes.join('')).toContain('\u001b[?25h');
  });

  it('writes nothing where nothing changed', () => {
    const { terminal, screen } = aScreen();
    screen.show(['same']);
    const before = terminal.writes.length;
    screen.show(['same']);
    expect(terminal.writes.length).toBe(before);
  });

  it('garbles nothing while a full window scrolls', () => {
    const { terminal, screen } = aScreen({ columns: 20, rows: 5 });
    const printedLines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    for (const [index, line] of printedLines.entries()) {
      screen.show([`at work ${index}`, ...(index % 3 === 0 ? ['another'] : [])]);
      screen.print(line);
    }
    screen.end();
    expect(terminal.text()).toBe(printedLines.join('\n'));
  });

  it('shows the last lines of what is higher than the window', () => {
    const { terminal, screen } = aScreen({ columns: 20, rows: 4 });
    screen.print('text');
    screen.show(['1', '2', '3', '4', '5']);
    screen.show(['1', '2', '3', '4', '6']);
    expect(terminal.text()).toBe('text\n3\n4\n6');
  });
});
