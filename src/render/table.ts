import { columnsOf, cutTo, padTo } from './columns.js';
import { wrapLine } from './wrap-line.js';

interface TableView {
  readonly width: number;
  /** The column that may be cut. Ids are never cut. */
  readonly flexible?: number;
  /** The first row names the columns, but not those that are moved below. */
  readonly hasHead?: boolean;
}

type Rows = readonly (readonly string[])[];

const GAP = '  ';
const MIN_WIDTH = 12;
const INDENT = '      ';

/**
 * Columns side by side, a line for each row. If they do not fit the width, the flexible one is cut. If that is not
 * enough, the last ones move below, indented: nothing scrolls sideways.
 */
export function table(rows: Rows, { width, flexible, hasHead = false }: TableView): readonly string[] {
  const narrowWidths = widthsOf(cutColumn(rows, flexible, MIN_WIDTH));
  const fits = narrowWidths.findLastIndex((_, column) => lengthOf(narrowWidths.slice(0, column + 1)) <= width) + 1;
  const columnsBeside = Math.max(1, fits);
  // The flexible column takes the room that the others leave beside it, or a line below them.
  const isBeside = flexible !== undefined && flexible < columnsBeside;
  const spare = isBeside ? width - lengthOf(narrowWidths.slice(0, columnsBeside)) : width - INDENT.length - MIN_WIDTH;
  const cut = cutColumn(rows, flexible, MIN_WIDTH + Math.max(0, spare));
  const widths = widthsOf(cut);
  return cut.map((row, index) => {
    const cellsBelow = hasHead && index === 0 ? [] : flow(row.slice(columnsBeside), width);
    return [align(row.slice(0, columnsBeside), widths), ...cellsBelow].join('\n');
  });
}

function cutColumn(rows: Rows, flexible: number | undefined, space: number): Rows {
  return rows.map((row) => row.map((cell, column) => (column === flexible ? cutTo(cell, space) : cell)));
}

/** The width of all columns side by side, uncut. */
export function tableWidth(rows: Rows): number {
  return lengthOf(widthsOf(rows));
}

function widthsOf(rows: Rows): readonly number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => columnsOf(row[column] ?? ''))),
  );
}

function lengthOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + (one > 0 ? one + GAP.length : 0), -GAP.length);
}

function align(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => padTo(cell, widths[column] ?? 0))
    .join(GAP)
    .trimEnd();
}

/** The remaining cells, as many to a line as fit. */
function flow(cells: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const cell of cells.filter((text) => text.trim() !== '')) {
    const longer = `${lines.at(-1)}${GAP}${cell}`;
    if (lines.length > 0 && columnsOf(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(...wrapLine(cell, Math.max(MIN_WIDTH, width - INDENT.length)).map((text) => `${INDENT}${text}`));
  }
  return lines;
}
