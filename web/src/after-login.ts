import { placeAt } from '../../src/protocol/page-address.js';
import { ofTab } from './storage.js';

/*
 * A person who follows a link without being logged in sees a locked page. When they open the login link in the same
 * tab, they get to the place of the first link.
 */

const WANTED = 'agentx wanted';

let isKept = true;

/** Keeps the address, with what its link chose, for the time when this tab is logged in. */
export function keepWanted(): void {
  isKept = true;
  ofTab.set(WANTED, location.pathname + (location.hash.startsWith('#choose=') ? location.hash : ''));
}

export function forgetWanted(): void {
  if (isKept) ofTab.remove(WANTED);
  isKept = false;
}

/** Where to go after logging in: the place in the login link, else the place that this tab was to show. */
export function wantedPath(): string {
  const keptAddress = ofTab.get(WANTED) ?? '/';
  const [keptPath = ''] = keptAddress.split('#');
  return location.pathname === '/' && placeAt(keptPath) !== undefined ? keptAddress : location.pathname;
}
