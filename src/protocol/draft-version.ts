import type { Draft } from './question.js';

/** What a draft is called; one that nobody named goes by its time. */
export function versionOf({ version, at }: Pick<Draft, 'version' | 'at'>): string {
  return version ?? at;
}
