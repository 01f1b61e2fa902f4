import { insertArrived, show } from './actions.js';
import { Help } from './parts/help.js';
import { Outgoing } from './parts/outgoing.js';
import { type State, VIEWS, type View } from './state.js';
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

export function Page({ state }: { readonly state: State }) {
  if (state.phase === 'loading') return <p class="quiet boot">Loading your inbox.</p>;
  if (state.phase === 'locked') return <Locked />;
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
              {view === 'inbox' && state.questions.length + state.arrived.length > 0 ? (
                <span class="count">{state.questions.length + state.arrived.length}</span>
              ) : null}
            </button>
          ))}
        </nav>
        <p class="who quiet">
          {state.principal} in {state.projectId}
        </p>
      </header>
      {state.isOnline ? null : (
        <p class="banner" role="status">
          Offline. What you write is kept here and sent when the server is back.
        </p>
      )}
      {state.arrived.length > 0 && state.view === 'inbox' ? (
        <button type="button" class="banner new" onClick={insertArrived}>
          {state.arrived.length} new <kbd>n</kbd>
        </button>
      ) : null}
      <main>{viewOf(state)}</main>
      <Outgoing state={state} />
      <p class={state.notice ? `notice ${state.notice.kind}` : 'notice empty'} role="status" aria-live="polite">
        {state.notice?.text}
      </p>
      {state.isHelpOpen ? <Help /> : null}
    </>
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

function Locked() {
  return (
    <main class="alone">
      <h1>AgentX</h1>
      <p>This inbox opens with a link that only you have.</p>
      <p>
        Look in the terminal where <code>agentx serve</code> runs and open the link it printed, or start it anew.
      </p>
    </main>
  );
}

function Failed({ problem }: { readonly problem: string }) {
  return (
    <main class="alone">
      <h1>AgentX</h1>
      <p>The inbox could not be read: {problem}</p>
      <p>
        <button type="button" class="main" onClick={() => location.reload()}>
          Try again
        </button>
      </p>
    </main>
  );
}
