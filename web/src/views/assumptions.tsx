import { useState } from 'preact/hooks';
import type { Assumption } from '../../../src/protocol/assumption.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { judgeAssumption } from '../decide.js';
import { isDecided } from '../outgoing.js';
import { Reading } from '../parts/reading.js';
import { Text } from '../parts/text.js';
import type { State } from '../state.js';

/** What was decided without an explicit answer, and still can be overturned. */
export function AssumptionsView({ state }: { readonly state: State }) {
  const { assumptions } = state;
  if (assumptions === undefined) return <Reading what="the assumptions" state={state} />;
  const isStanding = ({ status = 'standing' }: Assumption) => status === 'standing';
  const sorted = [...assumptions.filter(isStanding), ...assumptions.filter((one) => !isStanding(one))];
  return (
    <div class="view">
      <h2>Assumptions</h2>
      {sorted.length === 0 ? (
        <p class="quiet">
          Nothing was assumed yet. What agents decide without asking, or when nobody answers, is listed here.
        </p>
      ) : null}
      <ul class="plain">
        {sorted.map((assumption, index) => (
          <One key={assumption.id ?? index} assumption={assumption} state={state} />
        ))}
      </ul>
    </div>
  );
}

function One({ assumption, state }: { readonly assumption: Assumption; readonly state: State }) {
  const { id, issueNumber, agent, decision, reasoning, confidence, risk_if_wrong, artifacts = [] } = assumption;
  const { status = 'standing', decidedBy, rejection } = assumption;
  const late = [...state.questions, ...state.arrived].find(
    ({ rework, id: question }) =>
      id !== undefined && rework?.assumptionId === id && state.ended[question] === undefined,
  );
  return (
    <li class="card wide-card">
      <p>
        <span class={`status ${status}`}>{status}</span> <strong>{plainLine(decision)}</strong>
      </p>
      <p class="quiet">
        {id} {issueNumber === undefined ? '' : `#${issueNumber} `}
        {agent}, confidence {confidence}
        {decidedBy === undefined ? '' : `, ${status} by ${decidedBy}`}
      </p>
      <Text>{reasoning}</Text>
      <p class="quiet">If it is wrong: {plainLine(risk_if_wrong)}</p>
      {artifacts.length > 0 ? <p class="quiet">Used in {artifacts.map(plainLine).join(', ')}</p> : null}
      {rejection === undefined ? null : <p>Instead: {plainLine(rejection)}</p>}
      {late?.rework === undefined ? null : (
        <p>
          Asked in your inbox, keep or rework: you said "{plainLine(late.rework.answer)}". Confirming keeps what was
          built and settles that too.
        </p>
      )}
      {status === 'standing' && id !== undefined ? <Verdict id={id} decision={plainLine(decision)} /> : null}
    </li>
  );
}

/** Rejecting says what should have been decided: that is what the work is done again with. */
function Verdict({ id, decision }: { readonly id: string; readonly decision: string }) {
  const [isRejecting, setIsRejecting] = useState(false);
  if (isDecided(id)) return <p class="quiet">waiting to be sent</p>;
  if (!isRejecting) {
    return (
      <p class="buttons">
        <button
          type="button"
          data-row
          aria-label={`Confirm: ${decision}`}
          onClick={() => judgeAssumption({ id, decision })}
        >
          Confirm
        </button>
        <button type="button" aria-label={`Reject: ${decision}`} onClick={() => setIsRejecting(true)}>
          Reject
        </button>
      </p>
    );
  }
  return (
    <form
      class="verdict"
      onSubmit={(event) => {
        event.preventDefault();
        const reason = new FormData(event.currentTarget).get('reason');
        if (typeof reason === 'string' && reason.trim() !== '') judgeAssumption({ id, decision }, reason);
      }}
      onKeyDown={({ key }) => key === 'Escape' && setIsRejecting(false)}
    >
      <label>
        What should have been decided?
        <textarea name="reason" rows={2} required maxLength={2000} ref={focusOnce} />
      </label>
      <p class="buttons">
        <button type="submit" class="main">
          Reject
        </button>
        <button type="button" onClick={() => setIsRejecting(false)}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  field?.focus();
}
