import * as z from 'zod/mini';
import type { Shape } from './shape.js';

/** What a window holds; `conversation` is what the agent itself has said, `other` its role and the rules of replying. */
export const ContextPart = z.looseObject({
  part: z.enum(['issue', 'artifacts', 'clarifications', 'answers', 'memory', 'conversation', 'other']),
  tokens: z.int().check(z.gte(0)),
  items: z.int().check(z.gte(0)),
});
export type ContextPart = Shape<typeof ContextPart>;

export type ContextBand = 'ok' | 'watch' | 'compact-soon' | 'critical';

/** How full the window of one session is. */
export interface ContextBudget {
  readonly agent: string;
  readonly issueNumber: number;
  readonly sessionId: string;
  readonly step: string;
  readonly isEnded: boolean;
  /** What the window takes. */
  readonly contextTokens: number;
  readonly usedTokens: number;
  /** From 0; above 1 where more was said than fits. */
  readonly share: number;
  readonly band: ContextBand;
  readonly parts: readonly ContextPart[];
}

const BANDS: readonly (readonly [from: number, ContextBand])[] = [
  [0.9, 'critical'],
  [0.7, 'compact-soon'],
  [0.5, 'watch'],
];

export function bandOf(share: number): ContextBand {
  return BANDS.find(([from]) => share >= from)?.[1] ?? 'ok';
}
