import type { ObservationIndex } from '../protocol/observation.js';
import { readQuery, wordsOf } from '../search/words.js';

/** How much each factor counts. Only their ratios matter. */
export interface ScoreWeights {
  readonly recency: number;
  readonly recall: number;
  readonly keywords: number;
}

const DEFAULT_WEIGHTS: ScoreWeights = { recency: 0.4, recall: 0.2, keywords: 0.4 };

export interface ScoreContext {
  /** The words to look for; without them, only age and recalls count. */
  readonly query?: string | undefined;
  /** Now, in epoch milliseconds. */
  readonly nowMs: number;
}

export type Scored<T> = { readonly entry: T; readonly score: number };

const DAY_MS = 86_400_000;
const HALVED_AFTER_DAYS = 30;
const MOST_RECALLS = 10;

/**
 * Orders what could be recalled when a session starts. A factor about which nothing is known does not count: without a
 * query and without recalls the order is that of age.
 */
export class RelevanceScorer {
  constructor(private readonly weights: ScoreWeights = DEFAULT_WEIGHTS) {}

  /** Best first; every score lies between 0 and 1. */
  score<T extends ObservationIndex>(entries: readonly T[], { query = '', nowMs }: ScoreContext): readonly Scored<T>[] {
    const keywords = query === '' ? [] : readQuery(query).words;
    const weights = {
      recency: this.weights.recency,
      recall: entries.some(({ recallCount = 0 }) => recallCount > 0) ? this.weights.recall : 0,
      keywords: keywords.length > 0 ? this.weights.keywords : 0,
    };
    const total = weights.recency + weights.recall + weights.keywords || 1;
    const scoreOf = (entry: T): number =>
      (weights.recency * recencyScore(entry.timestamp, nowMs) +
        weights.recall * recallScore(entry.recallCount) +
        weights.keywords * keywordScore(entry.summary, keywords)) /
      total;
    return entries
      .map((entry) => ({ entry, score: scoreOf(entry) }))
      .sort((left, right) => right.score - left.score || newestFirst(left.entry, right.entry));
  }
}

/** 1 for now, half of it after thirty days; what is dated in the future is as new as now. */
export function recencyScore(timestamp: string, nowMs: number): number {
  const days = Math.max(0, (nowMs - Date.parse(timestamp)) / DAY_MS);
  return Number.isNaN(days) ? 0 : 1 / (1 + days / HALVED_AFTER_DAYS);
}

export function recallScore(recallCount = 0): number {
  return Math.min(Math.max(recallCount, 0) / MOST_RECALLS, 1);
}

/** The share of the keywords that a text has. */
export function keywordScore(text: string, keywords: readonly string[]): number {
  if (keywords.length === 0) return 0;
  const words = new Set(wordsOf(text));
  return keywords.filter((keyword) => words.has(keyword)).length / keywords.length;
}

function newestFirst(left: ObservationIndex, right: ObservationIndex): number {
  return Date.parse(right.timestamp) - Date.parse(left.timestamp) || (left.id < right.id ? -1 : 1);
}
