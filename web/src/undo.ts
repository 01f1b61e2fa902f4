import { readLater } from './actions.js';
import { open } from './go.js';
import { ended } from './list.js';
import { readAgain, takeBack } from './outgoing.js';

/** Takes back the latest decision, or a certain one, and shows what it was about. */
export function undo(key?: string): void {
  const decision = takeBack(key);
  if (decision === undefined) return;
  if ('assumption' in decision) open({ view: 'assumptions', id: decision.assumption.id });
  else showAsItIs(decision.question.id);
}

/** Changes to it meanwhile were not shown. If they cannot be read now, everything is read again when they can. */
function showAsItIs(id: string): void {
  open({ view: 'inbox', id });
  void readAgain(id).then((now) => now.status === 'resolved' && ended(now), readLater);
}
