import { placeAt } from '../../src/protocol/page-address.js';
import { ofTab } from './storage.js';

/*
 * A person who follows a link without being logged in sees a locked page. When they open the login link in the same
 * tab, they get to the place of the first link.
 */

const WANTED = 'agentx wanted';

let isKept = true;

/** Keeps the address for the time when this tab is logged in. */
export function keepWanted(): void {
  isKept = true;
  ofTab.set(WANTED, location.pathname);
}

export function forgetWanted(): void {
  if (isKept) ofTab.remove(WANTED);
  isKept = false;
}

/** Where to go after logging in: the place in the login link, else the place that this tab was to show. */
export function wantedPath(): string {
  const keptPath = ofTab.get(WANTED) ?? '/';
  return location.pathname === '/' && placeAt(keptPath) !== undefined ? keptPath : location.pathname;
}
