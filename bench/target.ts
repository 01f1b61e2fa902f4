import { formatNumber, formatTable } from './table.js';

/** One promise of the design, and what this run says about it. */
export interface Target {
  readonly what: string;
  readonly operator: '>=' | '<=' | '=';
  readonly limit: number;
  readonly measured: number;
  readonly met: boolean;
}

export function target(what: string, operator: Target['operator'], limit: number, measured: number): Target {
  const met = operator === '=' ? measured === limit : operator === '>=' ? measured >= limit : measured <= limit;
  return { what, operator, limit, measured, met };
}

export function formatTargets(targets: readonly Target[]): string {
  const rows = targets.map(({ what, operator, limit, measured, met }) => [
    what,
    `${operator} ${limit}`,
    formatNumber(measured),
    met ? 'met' : 'missed',
  ]);
  return formatTable(['target', 'wanted', 'measured', ''], rows);
}
