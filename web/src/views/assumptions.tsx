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
import { directionOf, Line, Text } from '../parts/text.js';
import { Ago } from '../parts/time.js';
import { keepReason, reasonFor } from '../reasons.js';
import type { State } from '../state.js';

const DRAWN_AT_ONCE = 50;

/** Decisions without an explicit answer, which can still be overturned. */
export function AssumptionsView({ state }: { readonly state: State }) {
  const now = useNow();
  const { assumptions, assumption: namedKey } = state;
  const [count, setCount] = useState(DRAWN_AT_ONCE);
  if (assumptions === undefined) return <Reading what="the assumptions" state={state} />;
  const isStanding = ({ status = 'standing' }: Assumption) => status === 'standing';
  const sortedAssumptions = [...assumptions.filter(isStanding), ...assumptions.filter((one) => !isStanding(one))];
  const first = sortedAssumptions.slice(0, count);
  // What the address names is shown however long the list is.
  const namedOne = first.some(({ id }) => id === namedKey)
    ? undefined
    : sortedAssumptions.find(({ id }) => id === namedKey);
  const shownAssumptions = namedKey === undefined || namedOne === undefined ? first : [namedOne, ...first];
  const lateOnes = lateOnesIn(state);
  return (
    <div class="view">
      <h2 tabIndex={-1}>Assumptions</h2>
      {namedKey === undefined || assumptions.some(({ id }) => id === namedKey) ? null : (
        <p role="alert">There is no assumption {plainLine(namedKey).slice(0, 80)} here.</p>
      )}
      {sortedAssumptions.length === 0 ? (
        <p class="quiet">
          Nothing was assumed yet. What agents decide without asking, or when nobody answers, is listed here.
        </p>
      ) : null}
      <ul class="plain">
        {shownAssumptions.map((assumption, index) => (
          <One
            key={assumption.id ?? index}
            assumption={assumption}
            isNamed={namedKey !== undefined && assumption.id === namedKey}
            late={lateOnes.get(assumption.id ?? '')}
            now={now}
          />
        ))}
      </ul>
      {shownAssumptions.length < sortedAssumptions.length ? (
        <More
          shown={shownAssumptions.length}
          total={sortedAssumptions.length}
          onMore={() => setCount(count + DRAWN_AT_ONCE)}
        />
      ) : null}
    </div>
  );
}

interface MoreProps {
  readonly shown: number;
  readonly total: number;
  readonly onMore: () => void;
}

/** The end of a list that goes on: the next ones are drawn when a person gets there. */
function More({ shown, total, onMore }: MoreProps) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && onMore());
    if (line.current !== null) observer.observe(line.current);
    return () => observer.disconnect();
  }, [shown]);
  return (
    <p class="quiet more" ref={line}>
      {shown} of {total.toLocaleString()} shown{' '}
      <button type="button" onClick={onMore}>
        Show more
      </button>
    </p>
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
      {id === undefined ? null : status === 'standing' ? (
        <Verdict id={id} decision={plainLine(decision)} />
      ) : (
        <Overtaken id={id} />
      )}
    </li>
  );
}

/** What was written while another person, or another tab, decided. */
function Overtaken({ id }: { readonly id: string }) {
  const [isDiscarded, setIsDiscarded] = useState(false);
  const text = reasonFor(id);
  if (text === '' || isDiscarded || isDecided(id)) return null;
  return (
    <div class="verdict">
      <p class="quiet">You had written, and not sent:</p>
      <Text>{text}</Text>
      <p class="buttons">
        <button
          type="button"
          onClick={() => {
            keepReason(id, '');
            setIsDiscarded(true);
          }}
        >
          Discard it
        </button>
      </p>
    </div>
  );
}

/**
 * A rejection says what should have been decided: the work is done again with that. The text is shown again after a
 * reload, and if the server did not take it. The form gets the focus only if the person asks for the form.
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
        // The form may be shown once more before the decision is: the focus stays where the person is then.
        isAsked.current = false;
        const reason = new FormData(event.currentTarget).get('reason');
        if (typeof reason === 'string' && reason.trim() !== '') judgeAssumption({ id, decision }, reason);
      }}
      onKeyDown={({ key, isComposing }) => key === 'Escape' && !isComposing && setIsRejecting(false)}
    >
      <label>
        What should have been decided?
        <textarea
          name="reason"
          dir={directionOf(reasonFor(id))}
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
