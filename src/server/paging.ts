import * as z from 'zod/mini';
import { AgentXError } from '../protocol/errors.js';
import type { Paging } from '../protocol/page.js';

const MAX_LIMIT = 200;

/** `?limit=50&cursor=...`; numbers come as text in a query. */
export const Page = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(MAX_LIMIT)), 50),
  cursor: z.exactOptional(z.string()),
});

/** The store's paging: the position of the last item that the client has seen, and how many more it wants. */
export function pagingOf({ limit, cursor }: z.infer<typeof Page>): Paging {
  return { limit, after: cursor === undefined ? undefined : decode(cursor) };
}

/** The cursor of the next page, in the body of an answer. */
export function nextPage(next: string | undefined): { readonly next?: string } {
  return next === undefined ? {} : { next: encode(next) };
}

const encode = (position: string): string => Buffer.from(position).toString('base64url');

function decode(cursor: string): string {
  if (/^[A-Za-z0-9_-]{1,400}$/.test(cursor)) return Buffer.from(cursor, 'base64url').toString('utf8');
  throw new AgentXError('INVALID_INPUT', "The cursor is not one that a listing gave as 'next'.", { cursor });
}
