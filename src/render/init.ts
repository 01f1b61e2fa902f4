import { type Paint, UNPAINTED } from './conversation.js';

/** What `init` did; paths are relative to the repository. */
export interface InitSummary {
  readonly created: readonly string[];
  readonly existing: readonly string[];
}

/** New files one by one. Files that existed before share one line, unless there is nothing else to show. */
export function renderInit({ created, existing }: InitSummary, paint: Paint = UNPAINTED): string {
  if (created.length === 0) return `Nothing to do: all ${existing.length} files are there already.`;
  const lines = created.map((path) => `${paint.good('created')}  ${path}`);
  if (existing.length === 0) return lines.join('\n');
  const keptLines = existing.map((path) => `${paint.quiet('kept')}     ${path}`);
  return [...lines, ...keptLines].join('\n');
}
