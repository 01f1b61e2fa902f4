import { nameOf, subjectOf } from '../outcome.js';
import type { Outgoing, State } from '../state.js';
import { undo } from '../undo.js';
import { useNow } from './clock.js';
import { Line } from './text.js';

/** Decisions that can still be taken back, latest first: in their five seconds, or while they wait for the server. */
export function OutgoingList({ state: { outgoing } }: { readonly state: State }) {
  const now = useNow();
  const latest = outgoing.findLast(({ phase }) => phase !== 'sending');
  return (
    <div role="status">
      <ul class="outgoings plain" aria-label="To be sent">
        {outgoing.toReversed().map((one) => (
          <One key={one.key} outgoing={one} isLatest={one === latest} now={now} />
        ))}
      </ul>
    </div>
  );
}

const WHEN: Readonly<Record<Outgoing['phase'], string>> = {
  waiting: 'is sent in five seconds',
  sending: 'is being sent',
  queued: 'is sent when the server is back',
};

function One({
  outgoing: { key, decision, phase, sendAt },
  isLatest,
  now,
}: {
  readonly outgoing: Outgoing;
  readonly isLatest: boolean;
  readonly now: number;
}) {
  const seconds = Math.max(0, Math.min(5, Math.ceil((sendAt - now) / 1000)));
  return (
    <li class="outgoing">
      <span class="cut">
        {nameOf(decision)} {WHEN[phase]}: <Line>{subjectOf(decision)}</Line>
      </span>
      <span class="seconds" aria-hidden="true">
        {phase === 'waiting' ? seconds : ''}
      </span>
      {phase === 'sending' ? null : (
        <button type="button" onClick={() => undo(key)}>
          Undo {isLatest ? <kbd>u</kbd> : null}
        </button>
      )}
    </li>
  );
}
