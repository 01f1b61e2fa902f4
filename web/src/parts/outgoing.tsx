import { plainLine } from '../../../src/render/plain-text.js';
import { undo } from '../decide.js';
import type { Act, State } from '../state.js';
import { useNow } from './clock.js';

const LABELS: Readonly<Record<Act, string>> = {
  answer: 'Your answer',
  decline: 'Your refusal',
  dismiss: 'Your dismissal',
  late: 'Your late answer',
  comment: 'Your comment',
};

/** What can still be taken back: in its five seconds, or waiting for the server. */
export function Outgoing({ state: { outgoing, queued } }: { readonly state: State }) {
  const now = useNow();
  const last = outgoing ?? queued.at(-1);
  if (last === undefined) return null;
  const seconds = Math.max(0, Math.min(5, Math.ceil((last.sendAt - now) / 1000)));
  return (
    <div class="outgoing">
      <span role="status" class="cut">
        {LABELS[last.act]} {outgoing === undefined ? 'is sent when the server is back' : 'is sent in five seconds'}:{' '}
        {plainLine(last.question.questions[0]?.text ?? '')}
      </span>
      <span class="seconds" aria-hidden="true">
        {outgoing === undefined ? '' : seconds}
      </span>
      <button type="button" onClick={undo}>
        Undo <kbd>u</kbd>
      </button>
    </div>
  );
}
