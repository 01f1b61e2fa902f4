import * as z from 'zod/mini';
import type { Shape } from './shape.js';

const Count = z.int().check(z.gte(0));

/**
 * What a conversation with a model used. The cost follows from the prices of the configuration; tokens of a model
 * without a price are counted apart, because no price is ever guessed.
 */
export const Usage = z.looseObject({
  inputTokens: Count,
  /** The part of them that the provider had in its cache. */
  cachedTokens: Count,
  outputTokens: Count,
  /** How often the model was called. */
  calls: Count,
  modelMs: Count,
  cost: z.number().check(z.gte(0)),
  unpricedTokens: Count,
});
export type Usage = Shape<typeof Usage>;

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  calls: 0,
  modelMs: 0,
  cost: 0,
  unpricedTokens: 0,
};

export function sumOf(...parts: readonly (Usage | undefined)[]): Usage {
  return parts.reduce<Usage>((sum, part) => combined(sum, part ?? NO_USAGE, 1), NO_USAGE);
}

/** What was used beyond an earlier reading of the same meter. */
export function beyond(total: Usage, before: Usage): Usage {
  return combined(total, before, -1);
}

export function tokensOf({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

function combined(left: Usage, right: Usage, sign: 1 | -1): Usage {
  const at = (key: keyof typeof NO_USAGE) => Math.max(0, left[key] + sign * right[key]);
  return {
    inputTokens: at('inputTokens'),
    cachedTokens: at('cachedTokens'),
    outputTokens: at('outputTokens'),
    calls: at('calls'),
    modelMs: at('modelMs'),
    // Sums of fractions would drift in the last digits.
    cost: Math.round(at('cost') * 1e9) / 1e9,
    unpricedTokens: at('unpricedTokens'),
  };
}

/** For a million tokens, in whatever currency the user counts. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** For input that was in the cache; by default that of input. */
  readonly cached?: number | undefined;
}

const MILLION = 1_000_000;

export function priced(tokens: Pick<Usage, 'inputTokens' | 'cachedTokens' | 'outputTokens'>, price: Price): number {
  const { inputTokens, cachedTokens, outputTokens } = tokens;
  const cachedCost = cachedTokens * (price.cached ?? price.input);
  return ((inputTokens - cachedTokens) * price.input + cachedCost + outputTokens * price.output) / MILLION;
}
