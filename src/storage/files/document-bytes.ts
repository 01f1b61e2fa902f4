/** Entries of a list that is no longer than this take less time to write than to look up. */
const FEW = 3;

/**
 * `JSON.stringify(document, null, 2)` and a line break, for documents of which little changes from one version to the
 * next: the entries of a long list are remembered as they were written. Data is readonly, so they never read differently.
 */
export function documentBytes(document: unknown): Buffer {
  if (isObject(document) && !Array.isArray(document)) {
    for (const [key, value] of Object.entries(document)) {
      if (Array.isArray(value) && value.length > FEW) return bytesAround(document, key, value);
    }
  }
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
}

function bytesAround(document: object, key: string, entries: readonly unknown[]): Buffer {
  const frame = `${JSON.stringify({ ...document, [key]: [] }, null, 2)}\n`;
  // Line breaks inside texts are escaped, so that only the field itself begins a line in this way.
  const field = `\n  ${JSON.stringify(key)}: [`;
  const end = frame.indexOf(`${field}]`) + field.length;
  const parts = entries.map((entry, index) =>
    index === 0 ? entryBytes(entry).subarray(COMMA.length) : entryBytes(entry),
  );
  return Buffer.concat([Buffer.from(frame.slice(0, end)), ...parts, Buffer.from(`\n  ${frame.slice(end)}`)]);
}

const COMMA = ',';
const written = new WeakMap<object, Buffer>();

function entryBytes(entry: unknown): Buffer {
  if (!isObject(entry)) return layOut(entry);
  const known = written.get(entry);
  if (known !== undefined) return known;
  const bytes = layOut(entry);
  written.set(entry, bytes);
  return bytes;
}

/** Within a list of a list an entry stands as deep as within a list of a document. */
function layOut(entry: unknown): Buffer {
  return Buffer.from(COMMA + JSON.stringify([[entry]], null, 2).slice('[\n  ['.length, -'\n  ]\n]'.length));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
