/** Columns side by side, two spaces apart. What does not fit the width is cut in the widest column, never wrapped. */
export function table(rows: readonly (readonly string[])[], width: number): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const excess = widths.reduce((sum, one) => sum + one + 2, -2) - width;
  const widest = widths.indexOf(Math.max(...widths));
  if (excess > 0) widths[widest] = Math.max(MIN_WIDTH, (widths[widest] ?? 0) - excess);
  return rows
    .map((row) =>
      row
        .map((cell, column) => shorten(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const MIN_WIDTH = 12;

function shorten(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, Math.max(0, width - 2))}..` : cell.padEnd(width);
}
