/*
 * Events of agent CLIs are read leniently: their fields change with every version, and what an agent's tools printed is
 * in them too. A field that is missing, or of another type, is absent.
 */

export type JsonEvent = Readonly<Record<string, unknown>>;

/** Undefined for a line that is no JSON object: CLIs print warnings between their events. */
export function eventIn(line: string): JsonEvent | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Own properties only: a name such as `constructor` finds nothing. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    value,
  );
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const part = valueAt(value, ...path);
  return typeof part === 'string' ? part : undefined;
}

/** A whole number that counts something; 0 if there is none. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const part = valueAt(value, ...path);
  return typeof part === 'number' && Number.isSafeInteger(part) && part > 0 ? part : 0;
}

export function amountAt(value: unknown, ...path: readonly string[]): number | undefined {
  const part = valueAt(value, ...path);
  return typeof part === 'number' && Number.isFinite(part) && part >= 0 ? part : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const part = valueAt(value, ...path);
  return Array.isArray(part) ? part : [];
}

export function objectAt(value: unknown, ...path: readonly string[]): JsonEvent {
  const part = valueAt(value, ...path);
  return isObject(part) ? part : {};
}

export function valuesAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  return Object.values(objectAt(value, ...path));
}

function isObject(value: unknown): value is JsonEvent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
