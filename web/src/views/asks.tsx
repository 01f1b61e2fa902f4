import { useState } from 'preact/hooks';
import { ago, useNow } from '../parts/clock.js';
import { Thread } from '../parts/thread.js';
import { change, type Listed, type State } from '../state.js';

const STATUSES = ['active', 'all', 'pending', 'answered', 'stale', 'escalated', 'resolved', 'abandoned'] as const;
type Wanted = (typeof STATUSES)[number];
const ENDED: readonly string[] = ['resolved', 'abandoned'];
const SHOWN = 200;

/** All that agents ask agents, with filters; a thread opens below its line. */
export function AsksView({ state }: { readonly state: State }) {
  const now = useNow();
  const [agent, setAgent] = useState('');
  const [wanted, setWanted] = useState<Wanted>('active');
  const { clarifications, openThread } = state;
  const agents = [...new Set(clarifications.flatMap(({ from, to }) => [from, to]))].toSorted();
  const shown = clarifications
    .filter((record) => agent === '' || record.from === agent || record.to === agent)
    .filter((record) => isWanted(record, wanted))
    .toSorted((left, right) => Date.parse(right.created) - Date.parse(left.created));
  return (
    <div class="asks">
      <h2>What agents ask each other</h2>
      <p class="filters">
        <label>
          Agent{' '}
          <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
            <option value="">everybody</option>
            {agents.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Status{' '}
          <select value={wanted} onChange={(event) => setWanted(asStatus(event.currentTarget.value))}>
            {STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </label>
        <span class="quiet">{shown.length} shown</span>
      </p>
      {shown.length === 0 ? <p class="quiet">Nothing to show with these filters.</p> : null}
      <ul class="plain">
        {shown.slice(0, SHOWN).map((record) => (
          <Ask key={record.id} record={record} isOpen={record.id === openThread} now={now} />
        ))}
      </ul>
    </div>
  );
}

function Ask({ record, isOpen, now }: { readonly record: Listed; readonly isOpen: boolean; readonly now: number }) {
  const { id, from, to, topic, status, round, maxRounds, created, issueNumber } = record;
  return (
    <li class="ask">
      <button
        type="button"
        class="line"
        aria-expanded={isOpen}
        onClick={() => change({ openThread: isOpen ? undefined : id })}
      >
        <span class={`status ${status}`}>{status}</span>
        <strong>{topic}</strong>
        <span class="quiet">
          {id} #{issueNumber} {from} to {to}, round {round}/{maxRounds}, {ago(created, now)}
        </span>
      </button>
      {isOpen ? <Thread record={record} /> : null}
    </li>
  );
}

function isWanted({ status }: Listed, wanted: Wanted): boolean {
  if (wanted === 'all') return true;
  return wanted === 'active' ? !ENDED.includes(status) : status === wanted;
}

function asStatus(value: string): Wanted {
  return STATUSES.find((status) => status === value) ?? 'active';
}
