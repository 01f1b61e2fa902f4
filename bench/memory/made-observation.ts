import type { Observation, ObservationCategory } from '../../src/protocol/observation.js';

export const CATEGORIES: readonly ObservationCategory[] = ['decision', 'code-change', 'error', 'key-fact'];
export const AGENTS = ['engineer', 'architect', 'tester', 'reviewer', 'product-manager'];

/** The same numbers in every run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

interface Fields {
  readonly number: number;
  readonly issueNumber: number;
  readonly content: string;
  readonly summary?: string;
  readonly sessionId: string;
  readonly category?: ObservationCategory;
  readonly agent?: string;
}

export function observation({
  number,
  issueNumber,
  content,
  summary = content,
  sessionId,
  category = 'decision',
  agent = 'engineer',
}: Fields): Observation {
  const ms = 1_760_000_000_000 + number * 60_000;
  return {
    id: `obs-${agent}-${issueNumber}-${ms}-${number.toString(36).padStart(6, '0')}`,
    agent,
    issueNumber,
    category,
    content,
    summary,
    tokens: Math.ceil(content.length / 4),
    tokenizer: 'o200k_base',
    timestamp: new Date(ms).toISOString(),
    sessionId,
  };
}
