import { undo } from '../actions.js';
import type { State } from '../state.js';
import { useNow } from './clock.js';

/** The five seconds in which a decision can be taken back. */
export function Outgoing({ state: { outgoing } }: { readonly state: State }) {
  const now = useNow();
  if (outgoing === undefined) return null;
  const seconds = Math.max(0, Math.ceil((outgoing.sendAt - now) / 1000));
  const when = outgoing.isQueued ? 'is sent when the server is back' : `is sent in ${seconds} s`;
  return (
    <div class="outgoing" role="status">
      <span>
        {outgoing.label} {when}: {outgoing.question.questions[0]?.text}
      </span>
      <button type="button" onClick={undo}>
        Undo <kbd>u</kbd>
      </button>
    </div>
  );
}
