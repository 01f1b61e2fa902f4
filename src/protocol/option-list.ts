import { isObject } from './is-object.js';

/** The options of a question as agents list them: one after the other, or by their ids as in `{"a": "SQLite"}`. */
export function optionList(options: unknown): readonly unknown[] | undefined {
  if (Array.isArray(options)) return options;
  if (!isObject(options)) return undefined;
  return Object.entries(options).map(([id, option]) => (isObject(option) ? { id, ...option } : { id, label: option }));
}
