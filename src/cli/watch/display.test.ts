import { describe, expect, it } from 'vitest';
import { VirtualTerminal } from '../../../test/support/virtual-terminal.js';
import { Display } from './display.js';

describe('the display', () => {
  it('writes only lines that changed', () => {
    const terminal = new VirtualTerminal();
    const display = new Display(terminal);
    display.show(['one', 'two', 'three']);
    display.show(['one', '2', 'three']);
    expect(terminal.text()).toBe('one\n2\nthree');
    expect(terminal.writes.at(-1)).toBe('\u001b[2;1H2\u001b[K');
    const { length } = terminal.writes;
    display.show(['one', '2', 'three']);
    expect(terminal.writes).toHaveLength(length);
  });

  it('clears lines that are gone, and everything when the window was resized', () => {
    const terminal = new VirtualTerminal();
    const display = new Display(terminal);
    display.show(['one', 'two']);
    display.show(['one']);
    expect(terminal.text()).toBe('one');
    terminal.columns = 40;
    display.show(['one']);
    expect(terminal.writes.at(-1)).toContain('\u001b[2J');
    expect(terminal.text()).toBe('one');
  });

  it("works beside the user's screen and gives it back", () => {
    const terminal = new VirtualTerminal();
    new Display(terminal).close();
    expect(terminal.writes[0]).toContain('\u001b[?1049h');
    expect(terminal.writes.at(-1)).toBe('\u001b[?25h\u001b[?1049l');
  });
});
