import { placeAt } from '../../src/protocol/page-address.js';

/*
 * Whoever follows a link without being logged in stands before a locked page. When they open the link that logs in, in the
 * same tab, they come to what the first link named.
 */

const WANTED = 'agentx wanted';

let isKept = true;

/** The door is locked: what is behind it is kept for when this tab gets the key. */
export function keepWanted(): void {
  isKept = true;
  sessionStorage.setItem(WANTED, location.pathname);
}

export function forgetWanted(): void {
  if (isKept) sessionStorage.removeItem(WANTED);
  isKept = false;
}

/** Where to with the key: what its own link names, or else what this tab had wanted. */
export function wantedPath(): string {
  const wanted = sessionStorage.getItem(WANTED) ?? '/';
  return location.pathname === '/' && placeAt(wanted) !== undefined ? wanted : location.pathname;
}
