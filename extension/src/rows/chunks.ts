import type { Row } from './row.js';

/** The editor takes all children of a node at once, seen or not: with thousands of them, it stands still. */
const AT_ONCE = 250;

/** The first rows below `parent`, and the others below rows that are folded: `251 to 500`. */
export function inChunks(rows: readonly Row[], parent = ''): readonly Row[] {
  if (rows.length <= AT_ONCE) return rows;
  const foldedRows = Array.from({ length: Math.ceil(rows.length / AT_ONCE) - 1 }, (_, index): Row => {
    const from = (index + 1) * AT_ONCE;
    const children = rows.slice(from, from + AT_ONCE);
    return {
      id: `${parent}chunk/${from + 1}`,
      label: `${from + 1} to ${from + children.length}`,
      description: `of ${rows.length}`,
      icon: 'ellipsis',
      children,
    };
  });
  return [...rows.slice(0, AT_ONCE), ...foldedRows];
}

/** The children of a row, given the rows of its tree as they are now: a folded row keeps those that it was made of. */
export function childrenNow(rows: readonly Row[], { id, children = [] }: Row): readonly Row[] {
  return inChunks(rows).find((row) => row.id === id)?.children ?? children;
}
