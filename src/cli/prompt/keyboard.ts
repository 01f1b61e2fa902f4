import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';
import { plainText } from '../../render/plain-text.js';

export interface Key {
  /** What was typed, if it is text. */
  readonly text: string;
  /** `up`, `return`, `escape`, `paste-start`, ...; for a letter, the letter. */
  readonly name: string;
  readonly isCtrl: boolean;
}

interface RawKey {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
}

const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';

/**
 * Reads the keyboard key by key and without echo, so that keys typed while agents work do not land between their lines.
 * Ctrl-C and Ctrl-Z come as keys too: the opener must act on them.
 */
export class Keyboard {
  readonly #input: ReadStream;
  readonly #write: (text: string) => void;
  readonly #deliver: (text: string | undefined, key: RawKey) => void;

  constructor(input: ReadStream, write: (text: string) => void, listener: (key: Key) => void) {
    this.#input = input;
    this.#write = write;
    this.#deliver = (text, { name = '', ctrl = false, meta = false }) => {
      const isText = text !== undefined && !ctrl && !meta && plainText(text) === text;
      listener({ text: isText ? text : '', name, isCtrl: ctrl });
    };
    emitKeypressEvents(input);
    input.on('keypress', this.#deliver);
    this.open();
  }

  open(): void {
    this.#input.setRawMode(true);
    this.#input.resume();
    this.#write(PASTE_ON);
  }

  /** Restores the terminal; `open` takes it again. */
  rest(): void {
    this.#write(PASTE_OFF);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  close(): void {
    this.#input.off('keypress', this.#deliver);
    this.rest();
  }
}
