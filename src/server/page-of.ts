import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';

const MAX_LIMIT = 200;

/** `?limit=50&cursor=...`; numbers come as text in a query. */
export const Page = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(MAX_LIMIT)), 50),
  cursor: z.exactOptional(z.string()),
});

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * The items after the cursor, in the given order; `positionOf` must grow in that order. The cursor is the position of
 * the last item, not its index: items added or answered meanwhile neither repeat nor skip any.
 */
export function pageOf<T>(
  items: readonly T[],
  { limit, cursor }: PageRequest,
  positionOf: (item: T) => string,
): { readonly items: readonly T[]; readonly next?: string } {
  const after = cursor === undefined ? undefined : decode(cursor);
  const start = after === undefined ? 0 : firstBehind(items, (item) => positionOf(item) > after);
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const isMore = start + limit < items.length;
  return isMore && last !== undefined ? { items: page, next: encode(positionOf(last)) } : { items: page };
}

/** Binary search: a page far down a long list costs no more than the first. */
function firstBehind<T>(items: readonly T[], isBehind: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item === undefined || isBehind(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const encode = (position: string): string => Buffer.from(position).toString('base64url');

function decode(cursor: string): string {
  if (/^[A-Za-z0-9_-]{1,400}$/.test(cursor)) return Buffer.from(cursor, 'base64url').toString('utf8');
  throw new AgentXError('INVALID_INPUT', "The cursor is not one that a listing gave as 'next'.", { cursor });
}
