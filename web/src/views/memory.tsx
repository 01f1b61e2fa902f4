import { issueLabel } from '../../../src/protocol/issue-label.js';
import type { ObservationIndex } from '../../../src/protocol/observation.js';
import type { FoundObservation, TimelineBody } from '../../../src/protocol/rest.js';
import { plainLine, plainText } from '../../../src/render/plain-text.js';
import { go } from '../go.js';
import { searchFor, takeFocus } from '../memory.js';
import type { MemoryRoom } from '../memory-room.js';
import { Choice } from '../parts/choice.js';
import { useNow } from '../parts/clock.js';
import { Link } from '../parts/link.js';
import { Missing } from '../parts/missing.js';
import { Reading } from '../parts/reading.js';
import { stopAtOne } from '../parts/rows.js';
import { Line, Text } from '../parts/text.js';
import { Thread } from '../parts/thread.js';
import { Ago, LocalTime } from '../parts/time.js';
import type { State } from '../state.js';

const KINDS: readonly (readonly [category: string, name: string])[] = [
  ['', 'any'],
  ['decision', 'Decision'],
  ['code-change', 'Code change'],
  ['error', 'Error'],
  ['key-fact', 'Fact'],
  ['compaction-summary', 'Summary'],
];
const AGES: readonly (readonly [days: string, name: string])[] = [
  ['0', 'any time'],
  ['1', 'a day ago'],
  ['7', 'a week ago'],
  ['30', 'a month ago'],
  ['365', 'a year ago'],
];

const kindOf = (category: string): string => KINDS.find(([name]) => name === category)?.[1] ?? category;

/**
 * What was remembered: a search that answers while a person types, and one observation with what happened around it.
 */
export function MemoryView({ state }: { readonly state: State }) {
  const { memory, observation } = state;
  if (memory === undefined) return <Reading what="the memory" state={state} />;
  const { around } = memory;
  const isOpen = observation !== undefined;
  return (
    <div class={isOpen ? 'view memory open' : 'view memory'}>
      <div class="memory-list">
        <Head memory={memory} />
        <Found memory={memory} observation={observation} />
      </div>
      {!isOpen ? null : around?.observation.id === observation ? (
        <Panel around={around} state={state} />
      ) : (
        <aside class="memory-panel" aria-label="Observation">
          <Missing id={observation} state={state} />
        </aside>
      )}
    </div>
  );
}

function Head({ memory: { stats, search, found, refusal } }: { readonly memory: MemoryRoom }) {
  const agents = Object.keys(stats.byAgent).toSorted();
  return (
    <>
      <h2 tabIndex={-1}>
        Memory{' '}
        <span class="quiet">
          {counted(stats.totalObservations, 'observation')} of {counted(stats.issueCount, 'issue')}
        </span>
      </h2>
      {stats.alerts.map((alert) => (
        <p key={alert} class="memory-alert" role="status">
          {alert}
        </p>
      ))}
      <search class="memory-search">
        <input
          type="search"
          ref={takeFocus}
          aria-label="Search what was remembered"
          placeholder="How are retries limited?"
          autoComplete="off"
          spellcheck={false}
          maxLength={1000}
          value={search.query}
          onInput={(event) => searchFor({ query: event.currentTarget.value })}
          onKeyDown={(event) => event.key === 'ArrowDown' && toFirst(event)}
        />
        <kbd>/</kbd>
      </search>
      <div class="filters">
        <Choice label="Kind" value={search.category} choices={KINDS} onChoose={(category) => searchFor({ category })} />
        <Choice
          label="Agent"
          value={search.agent}
          choices={[['', 'any'], ...agents.map((name) => [name, name] as const)]}
          onChoose={(agent) => searchFor({ agent })}
        />
        <label>
          Issue{' '}
          <input
            type="text"
            class="memory-issue"
            inputMode="numeric"
            placeholder="any"
            maxLength={12}
            value={search.issue}
            onInput={(event) => searchFor({ issue: event.currentTarget.value })}
          />
        </label>
        <Choice
          label="Since"
          value={String(search.days)}
          choices={AGES}
          onChoose={(days) => searchFor({ days: Number(days) })}
        />
        <span class="quiet" role="status">
          {refusal === undefined ? shownText(found.results.length, found.total) : ''}
        </span>
      </div>
    </>
  );
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`;
}

function shownText(shownCount: number, total: number): string {
  return total > shownCount ? `${shownCount} of ${total.toLocaleString()} found` : `${total} found`;
}

function toFirst(event: KeyboardEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.memory [data-row]')?.focus();
}

interface FoundProps {
  readonly memory: MemoryRoom;
  readonly observation: string | undefined;
}

function Found({ memory: { found, search, stats, refusal }, observation }: FoundProps) {
  const now = useNow();
  if (refusal !== undefined) return <p role="alert">{refusal}</p>;
  const { results, didYouMean } = found;
  const isEmpty = stats.totalObservations === 0;
  return (
    <>
      {didYouMean === undefined || didYouMean === search.query ? null : (
        <p class="meant">
          Did you mean{' '}
          <button type="button" class="as-link" onClick={() => searchFor({ query: didYouMean })}>
            {plainLine(didYouMean)}
          </button>
          ?
        </p>
      )}
      {isEmpty ? (
        <p class="quiet">
          Nothing is remembered yet. What agents decide, change and stumble over is found here once a session has ended,
          and what was answered as soon as it is settled.
        </p>
      ) : results.length === 0 ? (
        <p class="quiet">Nothing remembered matches. Other words, or fewer filters, may find it.</p>
      ) : null}
      <ul class="plain hits" ref={stopAtOne}>
        {results.map((hit) => (
          <Hit key={hit.id} hit={hit} isOpen={hit.id === observation} now={now} />
        ))}
      </ul>
    </>
  );
}

function Hit({ hit, isOpen, now }: { readonly hit: FoundObservation; readonly isOpen: boolean; readonly now: number }) {
  const { id, summary, snippet, matches = [], category, issueNumber, agent, timestamp, recallCount = 0 } = hit;
  const isMore = snippet !== undefined && plainLine(snippet) !== plainLine(summary);
  return (
    <li>
      <button
        type="button"
        class="hit"
        data-row
        aria-current={isOpen ? 'true' : undefined}
        onClick={() => go(isOpen ? { view: 'memory' } : { view: 'memory', id })}
      >
        <strong dir="auto">
          {isMore || snippet === undefined ? plainLine(summary) : <Marked text={snippet} matches={matches} />}
        </strong>
        {isMore ? (
          <span class="hit-snippet" dir="auto">
            <Marked text={snippet} matches={matches} />
          </span>
        ) : null}
        <span class="quiet hit-facts">
          <span>{kindOf(category)}</span> <span>{issueLabel(issueNumber)}</span> <span>{agent}</span>{' '}
          <Ago at={timestamp} now={now} />{' '}
          {recallCount === 0 ? null : <span>recalled {recallCount === 1 ? 'once' : `${recallCount} times`}</span>}
        </span>
      </button>
    </li>
  );
}

interface MarkedProps {
  readonly text: string;
  /** From which character to which. */
  readonly matches: readonly (readonly number[])[];
}

/** The found words, marked; what agents wrote stays text. */
function Marked({ text, matches }: MarkedProps) {
  const parts = matches.map(([start = 0, end = start], index) => [
    plainText(text.slice(matches[index - 1]?.[1] ?? 0, start)),
    <mark key={start}>{plainText(text.slice(start, end))}</mark>,
  ]);
  return (
    <>
      {parts}
      {plainText(text.slice(matches.at(-1)?.[1] ?? 0))}
    </>
  );
}

/** An observation's own page: what it says, where it comes from, and what happened around it. */
function Panel({ around, state }: { readonly around: TimelineBody; readonly state: State }) {
  const now = useNow();
  const { before, observation, after } = around;
  const { id, category, issueNumber, agent, timestamp, content, recallCount = 0, count = 1, mergedFrom } = observation;
  return (
    <aside class="memory-panel" aria-label="Observation">
      <p class="quiet">
        <strong>{kindOf(category)}</strong> of {agent}, {issueLabel(issueNumber)}, <Ago at={timestamp} now={now} />{' '}
        <Link to={{ view: 'memory' }} class="close">
          Close
        </Link>
      </p>
      <Text>{content}</Text>
      <Source observation={observation} state={state} />
      <p class="quiet">
        {[
          recallCount === 0 ? 'Never recalled' : `Recalled ${recallCount === 1 ? 'once' : `${recallCount} times`}`,
          ...(count > 1 ? [`said ${count} times`] : []),
          ...(mergedFrom === undefined ? [] : [`stands for ${mergedFrom.length} merged observations`]),
        ].join(', ')}
        .
      </p>
      <h3>Around it</h3>
      <ol class="around">
        {[...before, observation, ...after].map((one) => (
          <Moment key={one.id} one={one} isThis={one.id === id} />
        ))}
      </ol>
      <p class="quiet id">{id}</p>
    </aside>
  );
}

function Moment({ one, isThis }: { readonly one: ObservationIndex; readonly isThis: boolean }) {
  return (
    <li aria-current={isThis ? 'true' : undefined}>
      <span class="quiet when">
        <LocalTime at={one.timestamp} />
      </span>
      {isThis ? (
        <strong>
          <Line>{one.summary}</Line>
        </strong>
      ) : (
        <Link to={{ view: 'memory', id: one.id }}>
          <Line>{one.summary}</Line>
        </Link>
      )}
    </li>
  );
}

/** The thread or the question that it was taken from; what was only written down is a hint. */
function Source({ observation, state }: { readonly observation: TimelineBody['observation']; readonly state: State }) {
  const { source, sessionId } = observation;
  const record = state.clarifications.find(({ id }) => id === source?.id);
  if (source?.kind === 'clarification') {
    return (
      <section class="memory-source">
        <h3>
          From{' '}
          <Link to={{ view: 'asks', id: source.id }}>
            {record === undefined ? source.id : <Line>{record.topic}</Line>}
          </Link>
        </h3>
        {record === undefined ? null : <Thread record={record} open={[...state.questions, ...state.arrived]} />}
      </section>
    );
  }
  if (source?.kind === 'question') {
    return (
      <p>
        From <Link to={{ view: 'inbox', id: source.id }}>what a human was asked</Link>.
      </p>
    );
  }
  if (source?.kind === 'assumption') {
    return (
      <p>
        From <Link to={{ view: 'assumptions', id: source.id }}>an assumption that a human judged</Link>.
      </p>
    );
  }
  return (
    <p class="quiet">
      A hint, written down in <Line>{sessionId}</Line>: nothing was decided with it.
    </p>
  );
}
