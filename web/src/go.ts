import type { Place } from '../../src/protocol/page-address.js';
import { show } from './actions.js';
import { leap } from './address.js';
import { select } from './list.js';
import { seek, stateAt } from './read-named.js';
import { change, current } from './state.js';

/** Goes to a place on purpose: "back" then returns to where the person was. */
export function go(place: Place): void {
  leap();
  open(place);
}

/** Shows the place that an address names, typed or clicked. */
export function open(place: Place): void {
  const { selected, questions } = current();
  if (place.view === 'inbox') select(place.id ?? selected ?? questions[0]?.id);
  // A confirmation is only asked for while its question is visible.
  change({ ...stateAt(place), missing: undefined, toConfirm: undefined });
  void show(place.view);
  void seek();
}
