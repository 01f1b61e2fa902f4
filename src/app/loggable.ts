import { shorten } from '../protocol/shorten.js';

const SECRET = /^(?:token|secret|password|authorization|apikey)$/i;
const REDACTED = '[redacted]';
const MAX_TEXT = 32_768;
const MAX_ITEMS = 200;
const MAX_DEPTH = 8;

/**
 * A copy of what is to be logged, taken at once because the original may change: secrets are left out at every depth,
 * and what is endless, by size or by pointing to itself, is cut.
 */
export function loggable(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return copyOf(fields, 0);
}

function copyOf(fields: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields).slice(0, MAX_ITEMS)) {
    // Set like any other, `__proto__` would not become a field.
    if (key !== '__proto__') copy[key] = isSecret(key) ? REDACTED : plain(value, depth + 1);
  }
  return copy;
}

function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shorten(value, MAX_TEXT);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '...';
  if (value instanceof Error) return { name: value.name, message: value.message, ...copyOf(value, depth) };
  if (value instanceof Date) return value.toJSON();
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => plain(item, depth + 1));
  return copyOf(value, depth);
}

function isSecret(key: string): boolean {
  return SECRET.test(key.replaceAll(/[-_]/g, ''));
}
