import { parseClarificationId } from './ids.js';

/** Which part of a listing is wanted: what comes after a position, and how many. */
export interface Paging {
  /** `next` of the page before. */
  readonly after?: string | undefined;
  /** By default all of them. */
  readonly limit?: number | undefined;
}

/**
 * The items after the position, in the given order; `position` must grow in that order. A position is that of an item,
 * not its index: items added or ended meanwhile neither repeat nor skip any.
 */
export function pageOf<T>(
  items: readonly T[],
  { after, limit }: Paging,
  position: (item: T) => string,
): { readonly items: readonly T[]; readonly next?: string } {
  const start = after === undefined ? 0 : firstBehind(items, (item) => position(item) > after);
  if (start === 0 && limit === undefined) return { items };
  const end = limit === undefined ? items.length : start + limit;
  const page = items.slice(start, end);
  const last = page.at(-1);
  return end < items.length && last !== undefined ? { items: page, next: position(last) } : { items: page };
}

/** Numbers as text that grows as they do. */
const ofNumber = (number: number): string => String(number).padStart(16, '0');
/** An instant, and an id that decides between two of the same. */
const ofInstant = (at: string, id: string): string => `${String(Date.parse(at)).padStart(15, '0')} ${id}`;

/** Where documents stand in their listings. */
export const positionOf = {
  question: ({ createdAt, id }: { readonly createdAt: string; readonly id: string }) => ofInstant(createdAt, id),
  session: ({ startedAt, id }: { readonly startedAt: string; readonly id: string }) => ofInstant(startedAt, id),
  issue: ({ number }: { readonly number: number }) => ofNumber(number),
  run: ({ issueNumber }: { readonly issueNumber: number }) => ofNumber(issueNumber),
  /** By its place among those of its issue: they are only ever added. */
  assumption: (issueNumber: number, place: number) => `${ofNumber(issueNumber)} ${ofNumber(place)}`,
  interaction: ({ place }: { readonly place: number }) => ofNumber(place),
  clarification({ id }: { readonly id: string }): string {
    const { issueNumber, sequence } = parseClarificationId(id);
    return `${ofNumber(issueNumber)} ${ofNumber(sequence)}`;
  },
};

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
