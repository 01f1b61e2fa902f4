import { useState } from 'preact/hooks';
import { plainLine } from '../../../src/render/plain-text.js';
import { ago, useNow } from '../parts/clock.js';
import { Thread } from '../parts/thread.js';
import { change, type Listed, type State } from '../state.js';

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

/** All that agents ask agents, with filters; a thread opens below its line. */
export function AsksView({ state }: { readonly state: State }) {
  const now = useNow();
  const { clarifications, openThread } = state;
  const [agent, setAgent] = useState('');
  const [status, setStatus] = useState(openThread === undefined ? 'active' : 'all');
  const [hours, setHours] = useState(0);
  const agents = [...new Set(clarifications.flatMap(({ from, to }) => [from, to]))].toSorted();
  const shown = clarifications
    .filter((record) => agent === '' || record.from === agent || record.to === agent)
    .filter((record) => isWanted(record, status))
    .filter(({ created }) => hours === 0 || now - Date.parse(created) < hours * HOUR_MS)
    .toSorted((left, right) => Date.parse(right.created) - Date.parse(left.created));
  return (
    <div class="view">
      <h2>What agents ask each other</h2>
      <p class="filters">
        <Choice label="Agent" value={agent} choices={[['', 'everybody'], ...agents.map(same)]} onChoose={setAgent} />
        <Choice label="Status" value={status} choices={STATUSES.map(same)} onChoose={setStatus} />
        <Choice
          label="Asked"
          value={String(hours)}
          choices={AGES.map(([value, name]) => [String(value), name])}
          onChoose={(value) => setHours(Number(value))}
        />
        <span class="quiet" role="status">
          {shown.length > SHOWN ? `${SHOWN} of ${shown.length} shown` : `${shown.length} shown`}
        </span>
      </p>
      {shown.length === 0 ? (
        <p class="quiet">
          {clarifications.length === 0 ? 'No agent has asked another one yet.' : 'Nothing to show with these filters.'}
        </p>
      ) : null}
      <ul class="plain">
        {shown.slice(0, SHOWN).map((record) => (
          <Ask key={record.id} record={record} isOpen={record.id === openThread} now={now} />
        ))}
      </ul>
    </div>
  );
}

const same = (text: string): readonly [string, string] => [text, text];

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, name: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, choices, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Ask({ record, isOpen, now }: { readonly record: Listed; readonly isOpen: boolean; readonly now: number }) {
  const { id, from, to, topic, status, round, maxRounds, created, issueNumber, blocking } = record;
  return (
    <li class="ask">
      <button
        type="button"
        class="line"
        data-row
        aria-expanded={isOpen}
        onClick={() => change({ openThread: isOpen ? undefined : id })}
      >
        <span class={`status ${status}`}>{status}</span>
        <strong>{plainLine(topic)}</strong>
        <span class="quiet">
          {from} to {to}, #{issueNumber}, round {round}/{maxRounds}, {blocking ? 'blocking' : 'non-blocking'},{' '}
          {ago(created, now)}, {id}
        </span>
      </button>
      {isOpen ? <Thread record={record} /> : null}
    </li>
  );
}

function isWanted({ status }: Listed, wanted: string): boolean {
  if (wanted === 'all') return true;
  return wanted === 'active' ? !ENDED.includes(status) : status === wanted;
}
