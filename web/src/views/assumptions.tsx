import type { Assumption } from '../../../src/protocol/assumption.js';
import { judgeAssumption } from '../actions.js';
import { Text } from '../parts/text.js';
import type { State } from '../state.js';

/** What was decided without an explicit answer, and still can be overturned. */
export function AssumptionsView({ state: { assumptions } }: { readonly state: State }) {
  if (assumptions === undefined) return <p class="quiet boot">Reading the assumptions.</p>;
  const isStanding = ({ status = 'standing' }: Assumption) => status === 'standing';
  const sorted = [...assumptions.filter(isStanding), ...assumptions.filter((one) => !isStanding(one))];
  return (
    <div class="assumptions">
      <h2>Assumptions</h2>
      {sorted.length === 0 ? (
        <p class="quiet">
          Nothing was assumed yet. What agents decide without asking, or when nobody answers, is listed here.
        </p>
      ) : null}
      <ul class="plain">
        {sorted.map((assumption, index) => (
          <One key={assumption.id ?? index} assumption={assumption} />
        ))}
      </ul>
    </div>
  );
}

function One({ assumption }: { readonly assumption: Assumption }) {
  const {
    id,
    issueNumber,
    agent,
    decision,
    reasoning,
    confidence,
    risk_if_wrong,
    status = 'standing',
    artifacts = [],
  } = assumption;
  return (
    <li class="card">
      <p>
        <span class={`status ${status}`}>{status}</span> <strong>{decision}</strong>{' '}
        <span class="quiet">
          {id} {issueNumber === undefined ? '' : `#${issueNumber}`} {agent}, confidence {confidence}
        </span>
      </p>
      <Text>{reasoning}</Text>
      <p class="quiet">If it is wrong: {risk_if_wrong}</p>
      {artifacts.length > 0 ? <p class="quiet">Used in {artifacts.join(', ')}</p> : null}
      {status === 'standing' && id !== undefined ? (
        <p class="buttons">
          <button type="button" onClick={() => void judgeAssumption(id, 'confirm')}>
            Confirm
          </button>
          <button type="button" onClick={() => void judgeAssumption(id, 'reject')}>
            Reject
          </button>
        </p>
      ) : null}
    </li>
  );
}
