import { type Place, pathOf, placeAt } from '../../src/protocol/page-address.js';
import { forgetWanted, keepWanted } from './door.js';
import type { State } from './state.js';

/*
 * The address says what is shown: it follows the state, and what it names is shown after a reload and in another tab.
 * What a person goes to on purpose is a step that "back" undoes; a walk through the list with keys is one step, however
 * long it is. What moves by itself, such as to the next question after an answer, is none.
 */

/** A key that is held moves thirty times a second; browsers refuse to be told of so many addresses. */
const WALKING_MS = 200;

let next: 'leap' | 'walk' | undefined;
let isWalking = false;
let written: string | undefined;
let walkTimer: ReturnType<typeof setTimeout> | undefined;

/** The next change is a step to somewhere else. */
export function leap(): void {
  next = 'leap';
}

/** The next change is one to the neighbour in the list. */
export function walk(): void {
  next = 'walk';
}

/** What somebody typed that leads nowhere. */
export function lostAddress(): string | undefined {
  return placeAt(location.pathname) === undefined ? location.pathname : undefined;
}

/** Where the address leads; what is no address of ours leads to the inbox. */
export function hereByAddress(): Place {
  return placeAt(location.pathname) ?? { view: 'inbox' };
}

/** Tells of every address that the person goes back or forward to. */
export function onBackAndForward(open: (place: Place) => void): void {
  addEventListener('popstate', () => {
    clearTimeout(walkTimer);
    isWalking = false;
    next = undefined;
    written = pathOf(hereByAddress());
    open(hereByAddress());
  });
}

export function follow(state: State): void {
  if (state.phase === 'locked') keepWanted();
  if (state.phase !== 'ready') return;
  forgetWanted();
  const how = next;
  next = undefined;
  const path = pathOf(placeOf(state));
  const before = written ?? pathOf(hereByAddress());
  written = path;
  if (path === before) return;
  const isStep = how === 'leap' || (how === 'walk' && !isWalking) || viewOf(path) !== viewOf(before);
  const isWalkingOn = how === 'walk' && !isStep;
  isWalking = how === 'walk';
  clearTimeout(walkTimer);
  if (isWalkingOn) walkTimer = setTimeout(() => history.replaceState(null, '', path), WALKING_MS);
  else if (!isStep) history.replaceState(null, '', path);
  else {
    // A walk may have gone further than the address tells.
    if (pathOf(hereByAddress()) !== before) history.replaceState(null, '', before);
    history.pushState(null, '', path);
  }
}

const viewOf = (path: string): string | undefined => path.split('/')[1];

function placeOf({ view, selected, openThread, assumption, week }: State): Place {
  const id = { inbox: selected, board: undefined, asks: openThread, assumptions: assumption, digest: week }[view];
  return id === undefined ? { view } : { view, id };
}
