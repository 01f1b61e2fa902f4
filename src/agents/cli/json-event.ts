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
    (found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  );
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** A whole number that counts something; 0 if there is none. */
export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = valueAt(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) && found > 0 ? found : 0;
}

export function amountAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function objectAt(value: unknown, ...path: readonly string[]): JsonEvent {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

export function valuesAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  return Object.values(objectAt(value, ...path));
}

function isObject(value: unknown): value is JsonEvent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
