import { type Paint, UNPAINTED } from './conversation.js';

/** What `init` did, with paths from the repository. */
export interface InitSummary {
  readonly created: readonly string[];
  readonly existing: readonly string[];
}

/** New files one by one; those of the user that stayed as they were in one line, unless nothing else happened. */
export function renderInit({ created, existing }: InitSummary, paint: Paint = UNPAINTED): string {
  if (created.length === 0) return `Nothing to do: all ${existing.length} files are there already.`;
  const lines = created.map((path) => `${paint.good('created')}  ${path}`);
  if (existing.length === 0) return lines.join('\n');
  const kept = existing.map((path) => `${paint.quiet('kept')}     ${path}`);
  return [...lines, ...kept].join('\n');
}
