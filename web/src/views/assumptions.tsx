import { useEffect, useRef, useState } from 'preact/hooks';
import type { Assumption } from '../../../src/protocol/assumption.js';
import type { Question } from '../../../src/protocol/question.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { judgeAssumption } from '../decide.js';
import { isDecided } from '../outgoing.js';
import { useNow } from '../parts/clock.js';
import { focusOnce } from '../parts/focus-once.js';
import { Link } from '../parts/link.js';
import { Reading } from '../parts/reading.js';
import { Line, Text } from '../parts/text.js';
import { Ago } from '../parts/time.js';
import { keepReason, reasonFor } from '../reasons.js';
import type { State } from '../state.js';

/** Decisions without an explicit answer, which can still be overturned. */
export function AssumptionsView({ state }: { readonly state: State }) {
  const now = useNow();
  const { assumptions, assumption: named } = state;
  if (assumptions === undefined) return <Reading what="the assumptions" state={state} />;
  const isStanding = ({ status = 'standing' }: Assumption) => status === 'standing';
  const sorted = [...assumptions.filter(isStanding), ...assumptions.filter((one) => !isStanding(one))];
  const lateOnes = lateOnesIn(state);
  return (
    <div class="view">
      <h2 tabIndex={-1}>Assumptions</h2>
      {named === undefined || assumptions.some(({ id }) => id === named) ? null : (
        <p role="alert">There is no assumption {plainLine(named).slice(0, 80)} here.</p>
      )}
      {sorted.length === 0 ? (
        <p class="quiet">
          Nothing was assumed yet. What agents decide without asking, or when nobody answers, is listed here.
        </p>
      ) : null}
      <ul class="plain">
        {sorted.map((assumption, index) => (
          <One
            key={assumption.id ?? index}
            assumption={assumption}
            isNamed={named !== undefined && assumption.id === named}
            late={lateOnes.get(assumption.id ?? '')}
            now={now}
          />
        ))}
      </ul>
    </div>
  );
}

/** The open choices between keep and rework, by their assumptions. */
function lateOnesIn({ questions, arrived, ended }: State): ReadonlyMap<string, Question> {
  const lateOnes = new Map<string, Question>();
  for (const question of [...questions, ...arrived]) {
    const { assumptionId } = question.rework ?? {};
    if (assumptionId !== undefined && ended[question.id] === undefined) lateOnes.set(assumptionId, question);
  }
  return lateOnes;
}

interface OneProps {
  readonly assumption: Assumption;
  readonly isNamed: boolean;
  /** The open choice between keep and rework. */
  readonly late: Question | undefined;
  readonly now: number;
}

function One({ assumption, isNamed, late, now }: OneProps) {
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNamed) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isNamed]);
  const { id, issueNumber, agent, decision, reasoning, confidence, risk_if_wrong, artifacts = [] } = assumption;
  const { status = 'standing', decidedBy, rejection, createdAt, questionId } = assumption;
  return (
    <li class={isNamed ? 'card wide-card named' : 'card wide-card'} ref={card}>
      <p>
        <span class={`status ${status}`}>{status}</span>{' '}
        <strong>
          <Line>{decision}</Line>
        </strong>
      </p>
      <p class="quiet">
        {id} {issueNumber === undefined ? '' : `#${issueNumber} `}
        {agent}, confidence {confidence}
        {decidedBy === undefined ? '' : `, ${status} by ${decidedBy}`}
        {createdAt === undefined ? null : (
          <>
            , <Ago at={createdAt} now={now} />
          </>
        )}
        {questionId === undefined ? null : (
          <>
            , <Link to={{ view: 'inbox', id: questionId }}>what was asked</Link>
          </>
        )}
      </p>
      <Text>{reasoning}</Text>
      <p class="quiet">
        If it is wrong: <Line>{risk_if_wrong}</Line>
      </p>
      {artifacts.length > 0 ? <p class="quiet">Used in {artifacts.map(plainLine).join(', ')}</p> : null}
      {rejection === undefined ? null : (
        <p>
          Instead: <Line>{rejection}</Line>
        </p>
      )}
      {late?.rework === undefined ? null : (
        <p>
          Asked in your inbox, keep or rework: you said "<Line>{late.rework.answer}</Line>". Confirming keeps what was
          built and settles that too.
        </p>
      )}
      {status === 'standing' && id !== undefined ? <Verdict id={id} decision={plainLine(decision)} /> : null}
    </li>
  );
}

/**
 * A rejection says what should have been decided: the work is done again with that. What was written is shown again
 * after a reload, or when it was not taken; only a person who asks for the form gets the focus into it.
 */
function Verdict({ id, decision }: { readonly id: string; readonly decision: string }) {
  const isAsked = useRef(false);
  const [isRejecting, setIsRejecting] = useState(reasonFor(id) !== '');
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
        <button
          type="button"
          aria-label={`Reject: ${decision}`}
          onClick={() => {
            isAsked.current = true;
            setIsRejecting(true);
          }}
        >
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
      onKeyDown={({ key, isComposing }) => key === 'Escape' && !isComposing && setIsRejecting(false)}
    >
      <label>
        What should have been decided?
        <textarea
          name="reason"
          dir="auto"
          rows={2}
          required
          defaultValue={reasonFor(id)}
          onInput={({ currentTarget }) => keepReason(id, currentTarget.value)}
          ref={isAsked.current ? focusOnce : null}
        />
      </label>
      <p class="buttons">
        <button type="submit" class="main">
          Reject
        </button>
        <button
          type="button"
          onClick={() => {
            keepReason(id, '');
            setIsRejecting(false);
          }}
        >
          Cancel
        </button>
      </p>
    </form>
  );
}
