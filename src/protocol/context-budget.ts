import * as z from 'zod/mini';
import type { Brief } from './brief.js';
import type { Shape } from './shape.js';
import { estimateTokens } from './tokens.js';

/**
 * What fills a window; `conversation` is what the agent itself has said, `other` its role and the rules of replying.
 */
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
  /** The size of the window. */
  readonly contextTokens: number;
  readonly usedTokens: number;
  /** From 0; above 1 if it does not fit. */
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

/** The share of each part of a brief in its prompt. */
export function contextOf(brief: Brief, promptTokens: number = estimateTokens(brief.prompt)): readonly ContextPart[] {
  const { issue, artifacts, clarifications, clarification, answers, memory = '' } = brief;
  const recalledCount = memory.split('\n').filter((line) => /^\s*[-*] /.test(line)).length;
  const parts = [
    partOf('issue', [`${issue.title}\n${issue.body}`]),
    partOf(
      'artifacts',
      artifacts.map(({ content }) => content),
    ),
    partOf('clarifications', [...clarifications, ...(clarification?.thread ?? [])].map(asText)),
    partOf('answers', answers.map(asText)),
    { part: 'memory', tokens: estimateTokens(memory), items: recalledCount } as const,
  ];
  const partTokens = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return [...parts, { part: 'other', tokens: Math.max(0, promptTokens - partTokens), items: 1 }];
}

/** The estimated size of some texts. */
export function partOf(name: ContextPart['part'], texts: readonly string[]): ContextPart {
  const nonEmpty = texts.filter((text) => text !== '');
  return { part: name, tokens: nonEmpty.reduce((sum, text) => sum + estimateTokens(text), 0), items: nonEmpty.length };
}

function asText(value: object): string {
  return JSON.stringify(value);
}
