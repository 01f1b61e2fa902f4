/** Entries of a list that is no longer than this take less time to write than to compare. */
const FEW = 3;

/**
 * `JSON.stringify(document, null, 2)` and a line break, for a document of which little changes from one version to the
 * next: entries of a long list that stand where they stood are not written anew. Data is readonly, so that the same entry
 * always reads the same.
 */
export class DocumentBytes {
  #entries: readonly unknown[] = [];
  #parts: readonly Buffer[] = [];

  /** The bytes hold until the next document is laid out, whichever that is: a caller that needs them for longer makes a copy. */
  of(document: unknown): Buffer {
    const list = longListOf(document);
    if (list === undefined) writeWhole(document);
    else this.#writeAround(list);
    return page.bytes();
  }

  #writeAround({ document, key, entries }: LongList): void {
    const frame = `${JSON.stringify({ ...document, [key]: [] }, null, 2)}\n`;
    // Line breaks inside texts are escaped, so that only the field itself begins a line in this way.
    const field = `\n  ${JSON.stringify(key)}: [`;
    const end = frame.indexOf(`${field}]`) + field.length;
    const parts = entries.map((entry, index) => this.#part(entry, index));
    this.#entries = entries;
    this.#parts = parts;
    page.clear();
    page.write(frame.slice(0, end));
    parts.forEach((part, index) => {
      if (index > 0) page.write(',');
      page.copy(part);
    });
    page.write(`\n  ${frame.slice(end)}`);
  }

  #part(entry: unknown, index: number): Buffer {
    const known = entry === this.#entries[index] ? this.#parts[index] : undefined;
    return known ?? layOut(entry);
  }
}

function writeWhole(document: unknown): void {
  page.clear();
  page.write(JSON.stringify(document, null, 2));
  page.write('\n');
}

interface LongList {
  readonly document: object;
  readonly key: string;
  readonly entries: readonly unknown[];
}

function longListOf(document: unknown): LongList | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  for (const [key, entries] of Object.entries(document)) {
    if (Array.isArray(entries) && entries.length > FEW) return { document, key, entries };
  }
  return undefined;
}

/** Within a list of a list an entry stands as deep as within a list of a document. */
function layOut(entry: unknown): Buffer {
  page.clear();
  page.write(JSON.stringify([[entry]], null, 2));
  return Buffer.from(page.bytes().subarray('[\n  ['.length, -'\n  ]\n]'.length));
}

const PAGE_BYTES = 64 * 1024;
/** What one very long document took is not kept for the others. */
const MOST_KEPT_BYTES = 1024 * 1024;

/** Memory that is written over again and again: giving back that of every document would keep the collector busy. */
class Page {
  #memory = Buffer.allocUnsafeSlow(PAGE_BYTES);
  #length = 0;

  clear(): void {
    this.#length = 0;
    if (this.#memory.length > MOST_KEPT_BYTES) this.#memory = Buffer.allocUnsafeSlow(PAGE_BYTES);
  }

  bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  write(text: string): void {
    this.#makeRoom(text.length * BYTES_A_UNIT);
    this.#length += this.#memory.write(text, this.#length);
  }

  copy(part: Buffer): void {
    this.#makeRoom(part.length);
    this.#length += part.copy(this.#memory, this.#length);
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * needed);
    this.bytes().copy(larger);
    this.#memory = larger;
  }
}

/** The most that UTF-8 takes for a unit of UTF-16. */
const BYTES_A_UNIT = 3;

const page = new Page();
