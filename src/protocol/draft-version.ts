import type { Draft } from './question.js';

/** The name of a draft; one without a name goes by its time. */
export function versionOf({ version, at }: Pick<Draft, 'version' | 'at'>): string {
  return version ?? at;
}
