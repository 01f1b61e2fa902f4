import type { Row } from './row.js';

/** Rows that have to be drawn anew: `all` if some came, went or moved. */
export function changedRows(rowsBefore: readonly Row[], rowsAfter: readonly Row[]): 'all' | readonly Row[] {
  if (rowsBefore.length !== rowsAfter.length) return 'all';
  const changed: Row[] = [];
  for (const [index, row] of rowsAfter.entries()) {
    const oldRow = rowsBefore[index];
    if (oldRow?.id !== row.id) return 'all';
    if (oldRow !== row && JSON.stringify(oldRow) !== JSON.stringify(row)) changed.push(row);
  }
  return changed;
}
