/*
 * Reads damaged JSON as far as it goes. Values that are whole before the damage are kept. Values that the damage cuts
 * through are left out: a record that lost its second half is not that record any more. Only the document itself, and
 * those of its lists that the caller names, may be kept in part.
 */

export interface JsonPrefix {
  /** Undefined if not even the beginning is JSON. */
  readonly value: unknown;
  /**
   * `damaged`: there is an error at `end`. `cut`: the text ends too early. `followed`: a whole value with text behind
   * it, such as the rest of a longer file that was overwritten.
   */
  readonly state: 'whole' | 'cut' | 'damaged' | 'followed';
  readonly end: number;
}

export interface JsonScrap {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
}

/** Nothing of ours is nested deeper; deeper nesting is meant to exhaust us. */
const MAX_DEPTH = 64;
const MAX_HEIGHT = 16;
const MAX_OPEN = 10_000;

export function readJsonPrefix(text: string, lists: readonly string[] = []): JsonPrefix {
  return new Reader(text, lists).read();
}

/** Every object that is whole by itself, anywhere in damaged text: inner ones before those that contain them. */
export function* wholeObjectsIn(text: string): Generator<JsonScrap> {
  for (const { start, end } of bracedParts(text)) {
    const { value, state } = readJsonPrefix(text.slice(start, end));
    if (state === 'whole') yield { value, start, end };
  }
}

const NOTHING = Symbol('nothing whole');
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=[\s,\]}])/y;
const SPACE = /[ \t\r\n]*/y;

class Reader {
  #at = 0;
  #isBroken = false;

  constructor(
    private readonly text: string,
    private readonly lists: readonly string[],
  ) {}

  read(): JsonPrefix {
    const value = this.#value(0, true);
    this.#skipSpace();
    const isAtEnd = this.#at >= this.text.length;
    const readValue = value === NOTHING ? undefined : value;
    const [complete, broken] = isAtEnd ? (['whole', 'cut'] as const) : (['followed', 'damaged'] as const);
    return { value: readValue, state: this.#isBroken ? broken : complete, end: this.#at };
  }

  #value(depth: number, mayBePartial: boolean): unknown {
    if (depth > MAX_DEPTH) return this.#break();
    this.#skipSpace();
    switch (this.text[this.#at]) {
      case '{':
        return this.#object(depth, mayBePartial);
      case '[':
        return this.#array(depth, mayBePartial);
      case '"':
        return this.#string();
      default:
        return this.#scalar();
    }
  }

  #object(depth: number, mayBePartial: boolean): unknown {
    const object: Record<string, unknown> = {};
    this.#at++;
    if (this.#takes('}')) return object;
    do {
      this.#skipSpace();
      const key = this.#string();
      if (typeof key !== 'string' || !this.#takes(':')) this.#break();
      else {
        const value = this.#value(depth + 1, depth === 0 && this.lists.includes(key));
        // In a copy field by field, this key would change what the copy inherits.
        if (value !== NOTHING && key !== '__proto__') object[key] = value;
      }
    } while (!this.#isBroken && this.#takes(','));
    return this.#closed('}') || mayBePartial ? object : NOTHING;
  }

  #array(depth: number, mayBePartial: boolean): unknown {
    const items: unknown[] = [];
    this.#at++;
    if (this.#takes(']')) return items;
    do {
      const value = this.#value(depth + 1, false);
      if (value !== NOTHING) items.push(value);
    } while (!this.#isBroken && this.#takes(','));
    return this.#closed(']') || mayBePartial ? items : NOTHING;
  }

  #string(): unknown {
    if (this.text[this.#at] !== '"') return this.#break();
    const end = endOfString(this.text, this.#at);
    if (end === undefined) {
      this.#at = this.text.length;
      return this.#break();
    }
    try {
      const value: unknown = JSON.parse(this.text.slice(this.#at, end));
      this.#at = end;
      return value;
    } catch {
      return this.#break();
    }
  }

  /** A number at the very end may have had more digits. */
  #scalar(): unknown {
    SCALAR.lastIndex = this.#at;
    const [word] = SCALAR.exec(this.text) ?? [];
    if (word === undefined) {
      if (/^[-+.\w]{0,40}$/.test(this.text.slice(this.#at, this.#at + 41))) this.#at = this.text.length;
      return this.#break();
    }
    this.#at += word.length;
    return JSON.parse(word);
  }

  #closed(bracket: string): boolean {
    if (!this.#isBroken && !this.#takes(bracket)) this.#break();
    return !this.#isBroken;
  }

  #takes(character: string): boolean {
    this.#skipSpace();
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  #break(): typeof NOTHING {
    this.#isBroken = true;
    return NOTHING;
  }
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return undefined;
}

/** A line break ends a string that lost its closing quote, so that one error does not invert all that follows. */
function* bracedParts(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const open: { readonly start: number; height: number }[] = [];
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"' || character === '\n') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') {
      if (open.length >= MAX_OPEN) open.length = 0;
      open.push({ start: at, height: 0 });
    } else if (character === '}') {
      const part = open.pop();
      const parent = open.at(-1);
      if (part === undefined) continue;
      if (parent) parent.height = Math.max(parent.height, part.height + 1);
      if (part.height <= MAX_HEIGHT) yield { start: part.start, end: at + 1 };
    }
  }
}
