import { type Place, pathOf, placeAt } from '../../src/protocol/page-address.js';
import { forgetWanted, keepWanted } from './after-login.js';
import type { State } from './state.js';

/*
 * The address says what is shown: it follows the state, so that a reload and another tab show the same. Where a person
 * goes on purpose is a step that "back" undoes. A walk through the list with keys is one step, however long. Moves of
 * the page itself, such as to the next question after an answer, are no steps.
 */

/** A key held down moves thirty times a second; browsers refuse that many changes of the address. */
const WALKING_MS = 200;

let next: 'leap' | 'walk' | undefined;
let isWalking = false;
let writtenPath: string | undefined;
let walkTimer: ReturnType<typeof setTimeout> | undefined;

/** The next change is a step to another place. */
export function leap(): void {
  next = 'leap';
}

/** The next change is a move to the neighbour in the list. */
export function walk(): void {
  next = 'walk';
}

/** The typed address, if it is none of ours. */
export function lostAddress(): string | undefined {
  return placeAt(location.pathname) === undefined ? location.pathname : undefined;
}

/** The place of the address; unknown addresses lead to the inbox. */
export function hereByAddress(): Place {
  return placeAt(location.pathname) ?? { view: 'inbox' };
}

/** Calls back with every address that the person goes back or forward to. */
export function onBackAndForward(open: (place: Place) => void): void {
  addEventListener('popstate', () => {
    clearTimeout(walkTimer);
    isWalking = false;
    next = undefined;
    writtenPath = pathOf(hereByAddress());
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
  const pathBefore = writtenPath ?? pathOf(hereByAddress());
  writtenPath = path;
  if (path === pathBefore) return;
  const isStep = how === 'leap' || (how === 'walk' && !isWalking) || viewOf(path) !== viewOf(pathBefore);
  const isWalkingOn = how === 'walk' && !isStep;
  isWalking = how === 'walk';
  clearTimeout(walkTimer);
  if (isWalkingOn) walkTimer = setTimeout(() => history.replaceState(null, '', path), WALKING_MS);
  else if (!isStep) history.replaceState(null, '', path);
  else {
    // A walk may have gone further than the address says.
    if (pathOf(hereByAddress()) !== pathBefore) history.replaceState(null, '', pathBefore);
    history.pushState(null, '', path);
  }
}

const viewOf = (path: string): string | undefined => path.split('/')[1];

function placeOf({ view, selected, openThread, assumption, observation, week }: State): Place {
  const ids = { inbox: selected, board: undefined, asks: openThread, assumptions: assumption, memory: observation };
  const id = { ...ids, digest: week }[view];
  return id === undefined ? { view } : { view, id };
}
