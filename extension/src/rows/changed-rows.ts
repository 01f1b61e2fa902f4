import type { Row } from './row.js';

/** Rows that have to be drawn anew: `all` if some came, went or moved. */
export function changedRows(before: readonly Row[], after: readonly Row[]): 'all' | readonly Row[] {
  if (before.length !== after.length) return 'all';
  const changed: Row[] = [];
  for (const [index, row] of after.entries()) {
    const old = before[index];
    if (old?.id !== row.id) return 'all';
    if (old !== row && JSON.stringify(old) !== JSON.stringify(row)) changed.push(row);
  }
  return changed;
}
