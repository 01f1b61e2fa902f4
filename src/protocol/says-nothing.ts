const NOTHING =
  /^\W*(?:(?:no|none|null|nothing|false|n\/?a|no (?:\w+ )?questions?)(?: (?:at this time|for now))?\W*)?$/i;

/** Whether a field that a model filled in because it is there says that it has nothing to say. */
export function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true;
  if (typeof value === 'string') return NOTHING.test(value);
  return typeof value === 'object' && Object.keys(value).length === 0;
}
