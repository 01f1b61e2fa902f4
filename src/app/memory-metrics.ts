import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How often something happened and how long it took, as far back as the log reaches. */
export interface Counted {
  readonly times: number;
  /** Observations captured or recalled, or results found. */
  readonly count: number;
  /** The middle one, in milliseconds. */
  readonly latencyMs: number;
}

export interface MemoryMetrics {
  readonly captures: Counted & { readonly errors: number };
  readonly recalls: Counted & { readonly tokens: number; readonly displaced: number };
  readonly searches: Counted;
}

interface Line {
  readonly memory?: unknown;
  readonly count?: unknown;
  readonly results?: unknown;
  readonly latencyMs?: unknown;
  readonly tokens?: unknown;
  readonly displaced?: unknown;
}

/** Read from the lines of the log that say `memory`. A log that is missing or cut off tells of nothing. */
export async function readMetrics(folder: string): Promise<MemoryMetrics> {
  const text = await readFile(join(folder, 'agentx.log'), 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap((line) => (line.includes('"memory":"') ? parsed(line) : []));
  const of = (kind: string) => lines.filter(({ memory }) => memory === kind);
  const recalls = of('recalled');
  return {
    captures: { ...counted(of('captured')), errors: of('capture-error').length },
    recalls: {
      ...counted(recalls),
      tokens: sum(recalls.map(({ tokens }) => tokens)),
      displaced: sum(recalls.map(({ displaced }) => displaced)),
    },
    searches: counted(of('searched')),
  };
}

function counted(lines: readonly Line[]): Counted {
  const latencies = lines.map(({ latencyMs }) => Number(latencyMs) || 0).sort((left, right) => left - right);
  const total = sum(lines.map(({ count, results }) => count ?? results));
  return { times: lines.length, count: total, latencyMs: latencies[latencies.length >> 1] ?? 0 };
}

function sum(values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + (Number(value) || 0), 0);
}

function parsed(line: string): readonly Line[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
