import { AgentXError } from '../../protocol/errors.js';
import { MAX_SEARCH_LIMIT } from '../../protocol/observation-filter.js';

/** How many observations are wanted, as it was typed. */
export function limitOf(typedLimit: string, { from }: { readonly from: number }): number {
  const limit = Number(typedLimit);
  if (/^\d+$/.test(typedLimit) && limit >= from && limit <= MAX_SEARCH_LIMIT) return limit;
  throw new AgentXError(
    'INVALID_INPUT',
    `'${typedLimit}' is not a valid number of results. Allowed: whole numbers from ${from} to ${MAX_SEARCH_LIMIT}.`,
    { limit: typedLimit },
  );
}
