import type { Place } from '../../src/protocol/page-address.js';
import { show } from './actions.js';
import { leap } from './address.js';
import { select } from './list.js';
import { seek, stateAt } from './seek.js';
import { change, current } from './state.js';

/** To a place, on purpose: from there, "back" leads to where the person was. */
export function go(place: Place): void {
  leap();
  open(place);
}

/** Shows what an address names, whoever named it. */
export function open(place: Place): void {
  const { selected, questions } = current();
  if (place.view === 'inbox') select(place.id ?? selected ?? questions[0]?.id);
  // What is asked for twice is asked for where it can be seen.
  change({ ...stateAt(place), missing: undefined, toConfirm: undefined });
  void show(place.view);
  void seek();
}
