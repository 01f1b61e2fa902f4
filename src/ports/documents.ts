import type { AgentXError } from '../protocol/errors.js';

/**
 * What an update makes of a document: its next content and a result for the caller. Updates are pure and synchronous,
 * because several that wait for the same document are carried out together. Returning the same content writes nothing;
 * throwing changes nothing and reaches only the caller whose update threw.
 */
export type Update<T, R, Current = T> = (current: Current) => { readonly next: T; readonly result: R };

/** The readable documents, and those that could not be read: one damaged document does not hide the others. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** Each a CORRUPT_FILE that names the document and the reason. */
  readonly damaged: readonly AgentXError[];
}

/**
 * What matches a filter, or a part of it: then `next` is where the rest begins. Damaged documents are in the first
 * part.
 */
export interface Page<T> extends Listing<T> {
  readonly next?: string;
}

export interface CountedPage<T> extends Page<T> {
  /** How many there are on all pages together. */
  readonly total: number;
}
