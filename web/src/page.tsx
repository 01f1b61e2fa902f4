import { useEffect } from 'preact/hooks';
import { VIEWS, type View } from '../../src/protocol/place.js';
import { show } from './actions.js';
import { Help } from './parts/help.js';
import { Locked } from './parts/locked.js';
import { Notices } from './parts/notices.js';
import { OutgoingList } from './parts/outgoing.js';
import { useIsSlow } from './parts/reading.js';
import { rename } from './session.js';
import { change, type State } from './state.js';
import { AsksView } from './views/asks.js';
import { AssumptionsView } from './views/assumptions.js';
import { BoardView } from './views/board.js';
import { DigestView } from './views/digest.js';
import { InboxView } from './views/inbox.js';

const NAMES: Readonly<Record<View, string>> = {
  inbox: 'Inbox',
  board: 'Board',
  asks: 'Asks',
  assumptions: 'Assumptions',
  digest: 'Digest',
};

/** Good news has been seen after so long; a problem stays. */
const SEEN_MS = 8_000;

export function Page({ state }: { readonly state: State }) {
  const waiting = waitingCount(state);
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) AgentX` : 'AgentX';
  }, [waiting]);
  const { notice } = state;
  useEffect(() => {
    if (notice?.kind !== 'done') return;
    const timer = setTimeout(() => change({ notice: undefined }), SEEN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  if (state.phase === 'loading') return <Loading />;
  if (state.phase === 'locked') return <Locked isKept={isAnythingKept(state)} />;
  if (state.phase === 'failed') return <Failed problem={state.problem} />;
  return (
    <>
      <header class="top">
        <h1>AgentX</h1>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <button
              key={view}
              type="button"
              class="tab"
              aria-current={view === state.view ? 'page' : undefined}
              onClick={() => void show(view)}
            >
              {NAMES[view]}
              {view === 'inbox' && waiting > 0 ? <span class="count">{waiting}</span> : null}
            </button>
          ))}
        </nav>
        <Connection state={state} />
        <Who state={state} />
        <button type="button" class="tab keys" aria-label="Keys" onClick={() => change({ isHelpOpen: true })}>
          <kbd>?</kbd>
        </button>
      </header>
      <main>{viewOf(state)}</main>
      <div class="toasts">
        <Notices state={state} />
        <OutgoingList state={state} />
      </div>
      {state.isHelpOpen ? <Help /> : null}
    </>
  );
}

function waitingCount({ questions, arrived, ended }: State): number {
  return questions.filter(({ id }) => ended[id] === undefined).length + arrived.length;
}

function isAnythingKept({ outgoing, drafts }: State): boolean {
  return outgoing.length + Object.keys(drafts).length > 0;
}

/** Always there, so that nothing moves when the server goes and comes back. */
function Connection({ state: { isOnline, outgoing } }: { readonly state: State }) {
  const queued = outgoing.filter(({ phase }) => phase === 'queued').length;
  const waiting = queued === 0 ? '' : `, ${queued} to send`;
  return (
    <p class={isOnline ? 'connection quiet' : 'connection away'} role="status">
      {isOnline ? 'live' : `offline${waiting}`}
      {isOnline ? null : <span class="more">: what you write is kept</span>}
    </p>
  );
}

function Who({ state: { principal, projectId, isNaming } }: { readonly state: State }) {
  if (!isNaming) {
    return (
      <button
        type="button"
        class="tab who"
        title="Answer under another name"
        onClick={() => change({ isNaming: true })}
      >
        {principal} <span class="quiet">in {projectId}</span>
      </button>
    );
  }
  return (
    <form
      class="who"
      onSubmit={(event) => {
        event.preventDefault();
        const name = new FormData(event.currentTarget).get('name');
        if (typeof name === 'string' && name.trim() !== '') void rename(name.trim());
      }}
      onKeyDown={({ key }) => key === 'Escape' && change({ isNaming: false })}
    >
      <label>
        Your name{' '}
        <input type="text" name="name" maxLength={80} defaultValue={principal} ref={(input) => input?.focus()} />
      </label>
      <button type="submit">Save</button>
    </form>
  );
}

function viewOf(state: State) {
  switch (state.view) {
    case 'board':
      return <BoardView state={state} />;
    case 'asks':
      return <AsksView state={state} />;
    case 'assumptions':
      return <AssumptionsView state={state} />;
    case 'digest':
      return <DigestView state={state} />;
    default:
      return <InboxView state={state} />;
  }
}

function Loading() {
  return <main class="alone quiet">{useIsSlow() ? <p role="status">Loading your inbox.</p> : null}</main>;
}

function Failed({ problem }: { readonly problem: string }) {
  return (
    <main class="alone">
      <h1>AgentX</h1>
      <p role="alert">The inbox could not be read: {problem}</p>
      <p>
        <button type="button" class="main" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </main>
  );
}
