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

  of(document: unknown): Buffer {
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
      for (const [key, value] of Object.entries(document)) {
        if (Array.isArray(value) && value.length > FEW) return this.#around(document, key, value);
      }
    }
    return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
  }

  #around(document: object, key: string, entries: readonly unknown[]): Buffer {
    const frame = `${JSON.stringify({ ...document, [key]: [] }, null, 2)}\n`;
    // Line breaks inside texts are escaped, so that only the field itself begins a line in this way.
    const field = `\n  ${JSON.stringify(key)}: [`;
    const end = frame.indexOf(`${field}]`) + field.length;
    const parts = entries.map((entry, index) => this.#part(entry, index));
    this.#entries = entries;
    this.#parts = parts;
    const [first = Buffer.alloc(0), ...others] = parts;
    const list = [first.subarray(COMMA.length), ...others];
    return Buffer.concat([Buffer.from(frame.slice(0, end)), ...list, Buffer.from(`\n  ${frame.slice(end)}`)]);
  }

  #part(entry: unknown, index: number): Buffer {
    const known = entry === this.#entries[index] ? this.#parts[index] : undefined;
    return known ?? layOut(entry);
  }
}

const COMMA = ',';

/** Within a list of a list an entry stands as deep as within a list of a document. */
function layOut(entry: unknown): Buffer {
  return Buffer.from(COMMA + JSON.stringify([[entry]], null, 2).slice('[\n  ['.length, -'\n  ]\n]'.length));
}
