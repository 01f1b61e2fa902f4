import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CopyState } from '../protocol/github.js';
import { layoutOf } from '../storage/files/layout.js';
import { checkedAt, isWrittenSince } from '../storage/files/mirror-age.js';

/** GitHub is asked again after so long, by any command. */
const FRESH_MS = 15_000;

/** Whether a sync may have something to do: something was written here, or GitHub was not asked for a while. */
export function isSyncDue(root: string, now: string): boolean {
  const at = checkedAt(root);
  return at === undefined || Date.parse(now) - Date.parse(at) > FRESH_MS || isWrittenSince(root, at);
}

/** For a note beside a list, so it fails on nothing: reading the file elsewhere reports what is wrong with it. */
export function copyState(root: string): Omit<CopyState, 'repo'> {
  const at = checkedAt(root);
  const trouble = troubleIn(join(layoutOf(root).github, 'sync.json'));
  return { ...(at !== undefined && { checkedAt: at }), ...(trouble !== undefined && { trouble }) };
}

function troubleIn(file: string): CopyState['trouble'] | undefined {
  try {
    const { trouble } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof trouble?.message === 'string' && typeof trouble?.at === 'string' ? trouble : undefined;
  } catch {
    return undefined;
  }
}
