import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Question } from '../../../src/protocol/question.js';
import type { ListedClarification } from '../../../src/protocol/rest.js';
import { go } from '../go.js';
import { Choice } from '../parts/choice.js';
import { useNow } from '../parts/clock.js';
import { Missing } from '../parts/missing.js';
import { Reading } from '../parts/reading.js';
import { stopAtOne } from '../parts/rows.js';
import { Line } from '../parts/text.js';
import { Thread } from '../parts/thread.js';
import { Ago } from '../parts/time.js';
import type { State } from '../state.js';

const STATUSES = ['active', 'all', 'pending', 'answered', 'stale', 'escalated', 'resolved', 'abandoned'];
const ENDED: readonly string[] = ['resolved', 'abandoned'];
const AGES: readonly (readonly [hours: number, name: string])[] = [
  [0, 'any'],
  [1, 'last hour'],
  [24, 'last day'],
  [168, 'last week'],
];
const SHOWN = 200;
const HOUR_MS = 3_600_000;

/** All questions of agents to agents, with filters; a thread opens below its line. */
export function AsksView({ state }: { readonly state: State }) {
  const now = useNow();
  const { clarifications, openThread, areAsksRead } = state;
  const [agent, setAgent] = useState('');
  const [status, setStatus] = useState('active');
  const [hours, setHours] = useState(0);
  const newestFirst = useMemo(
    () => clarifications.toSorted((left, right) => Date.parse(right.created) - Date.parse(left.created)),
    [clarifications],
  );
  if (!areAsksRead) return <Reading what="what agents ask" state={state} />;
  const agents = [...new Set(clarifications.flatMap(({ from, to }) => [from, to]))].toSorted();
  const matching = newestFirst
    .filter((record) => agent === '' || record.from === agent || record.to === agent)
    .filter((record) => isWanted(record, status))
    .filter(({ created }) => hours === 0 || now - Date.parse(created) < hours * HOUR_MS);
  // What the address names is shown whatever the filters say, and however long the list is.
  const namedRecord = clarifications.find(({ id }) => id === openThread);
  const first = matching.slice(0, SHOWN);
  const shownRecords = namedRecord === undefined || first.includes(namedRecord) ? first : [namedRecord, ...first];
  const questions = [...state.questions, ...state.arrived];
  return (
    <div class="view">
      <h2 tabIndex={-1}>What agents ask each other</h2>
      <p class="filters">
        <Choice label="Agent" value={agent} choices={[['', 'all agents'], ...agents.map(same)]} onChoose={setAgent} />
        <Choice label="Status" value={status} choices={STATUSES.map(same)} onChoose={setStatus} />
        <Choice
          label="Asked"
          value={String(hours)}
          choices={AGES.map(([value, name]) => [String(value), name])}
          onChoose={(value) => setHours(Number(value))}
        />
        <span class="quiet" role="status">
          {matching.length > SHOWN ? `${SHOWN} of ${matching.length} shown` : `${matching.length} shown`}
        </span>
      </p>
      {openThread === undefined || namedRecord !== undefined ? null : <Missing id={openThread} state={state} />}
      {shownRecords.length === 0 ? (
        <p class="quiet">
          {clarifications.length === 0 ? 'No agent has asked another one yet.' : 'Nothing to show with these filters.'}
        </p>
      ) : null}
      <ul class="plain" ref={stopAtOne}>
        {shownRecords.map((record) => (
          <Ask key={record.id} record={record} isOpen={record.id === openThread} now={now} questions={questions} />
        ))}
      </ul>
    </div>
  );
}

const same = (text: string): readonly [string, string] => [text, text];

interface AskProps {
  readonly record: ListedClarification;
  readonly isOpen: boolean;
  readonly now: number;
  readonly questions: readonly Question[];
}

function Ask({ record, isOpen, now, questions }: AskProps) {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const { id, from, to, topic, status, round, maxRounds, created, issueNumber, blocking } = record;
  return (
    <li class="ask" ref={line}>
      <button
        type="button"
        class="line"
        data-row
        aria-expanded={isOpen}
        onClick={() => go(isOpen ? { view: 'asks' } : { view: 'asks', id })}
      >
        <span class={`status ${status}`}>{status}</span>
        <strong>
          <Line>{topic}</Line>
        </strong>
        <span class="quiet">
          {from} to {to}, #{issueNumber}, round {round}/{maxRounds}, {blocking ? 'blocking' : 'non-blocking'},{' '}
          <Ago at={created} now={now} />, {id}
        </span>
      </button>
      {isOpen ? <Thread record={record} open={questions} /> : null}
    </li>
  );
}

function isWanted({ status }: ListedClarification, filter: string): boolean {
  if (filter === 'all') return true;
  return filter === 'active' ? !ENDED.includes(status) : status === filter;
}
