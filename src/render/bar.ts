/** As long as its part of the largest; what is not nothing can be seen. */
export function bar(value: number, largest: number, columns: number): string {
  if (value <= 0 || largest <= 0) return '';
  return '#'.repeat(Math.max(1, Math.round((Math.min(value, largest) / largest) * columns)));
}

/** A share from 0 to 1 of a frame: `[####------]`. */
export function meter(share: number, columns: number): string {
  return `[${bar(share, 1, columns).padEnd(columns, '-')}]`;
}
