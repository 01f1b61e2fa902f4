import { existsSync, readdirSync } from 'node:fs';

/** Locks, claims, rights of heirs and scratch files that are still there. */
export function litterIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:lock|tmp)$/.test(name))
    .sort();
}
