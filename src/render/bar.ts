/** A bar in proportion to the largest value. A value above zero is always visible. */
export function bar(value: number, largest: number, columns: number): string {
  if (value <= 0 || largest <= 0) return '';
  return '#'.repeat(Math.max(1, Math.round((Math.min(value, largest) / largest) * columns)));
}

/** A share from 0 to 1, drawn in brackets: `[####------]`. */
export function meter(share: number, columns: number): string {
  return `[${bar(share, 1, columns).padEnd(columns, '-')}]`;
}
