import { open } from './go.js';
import { ended } from './list.js';
import { readAgain, takeBack } from './outgoing.js';

/** The latest decision that can still be taken back, or a certain one; what it was about is shown. */
export function undo(key?: string): void {
  const decision = takeBack(key);
  if (decision === undefined) return;
  if ('assumption' in decision) open({ view: 'assumptions', id: decision.assumption.id });
  else showAsItIs(decision.question.id);
}

/** What happened to it meanwhile was not shown. */
function showAsItIs(id: string): void {
  open({ view: 'inbox', id });
  void readAgain(id).then(
    (now) => now.status === 'resolved' && ended(now),
    () => undefined,
  );
}
