import { useEffect } from 'preact/hooks';
import { VIEWS, type View } from '../../src/protocol/page-address.js';
import { plainLine } from '../../src/render/plain-text.js';
import { areNotesOn, canNote, switchNotes } from './notes.js';
import { focusOnce } from './parts/focus-once.js';
import { Help } from './parts/help.js';
import { Link } from './parts/link.js';
import { Locked } from './parts/locked.js';
import { Notices } from './parts/notices.js';
import { OutgoingList } from './parts/outgoing.js';
import { useIsSlow } from './parts/reading.js';
import { rename, tryAgain } from './session.js';
import { change, type State } from './state.js';
import { ofBrowser } from './storage.js';
import { AsksView } from './views/asks.js';
import { AssumptionsView } from './views/assumptions.js';
import { BoardView } from './views/board.js';
import { DigestView } from './views/digest.js';
import { InboxView, titleOf } from './views/inbox.js';
import { MemoryView } from './views/memory.js';

const NAMES: Readonly<Record<View, string>> = {
  inbox: 'Inbox',
  board: 'Board',
  asks: 'Asks',
  assumptions: 'Assumptions',
  memory: 'Memory',
  digest: 'Digest',
};

/** How long good news is shown; a problem stays. */
const SEEN_MS = 8_000;

export function Page({ state }: { readonly state: State }) {
  const openCount = waitingCount(state);
  const title = nameOf(state);
  useEffect(() => {
    document.title = openCount > 0 ? `(${openCount}) ${title}` : title;
  }, [openCount, title]);
  const { notice } = state;
  useEffect(() => {
    if (notice?.kind !== 'done') return;
    const timer = setTimeout(() => change({ notice: undefined }), SEEN_MS);
    return () => clearTimeout(timer);
  }, [notice]);
  if (state.phase === 'loading') return <Loading />;
  if (state.phase === 'locked') return <LockedPage state={state} />;
  if (state.phase === 'failed') return <Failed problem={state.problem} />;
  return (
    <>
      <SkipLink />
      <header class="top">
        <h1>AgentX</h1>
        <nav aria-label="Views">
          {VIEWS.map((view) => (
            <Link key={view} to={{ view }} class="tab" current={view === state.view ? 'page' : undefined}>
              {NAMES[view]}
              {view === 'inbox' && openCount > 0 ? <span class="count">{openCount}</span> : null}
            </Link>
          ))}
        </nav>
        <Connection state={state} />
        <Who state={state} />
        {canNote() ? (
          <button
            type="button"
            class="tab notes"
            aria-pressed={areNotesOn()}
            title="New questions as notes of this browser, while you look elsewhere"
            onClick={() => void switchNotes()}
          >
            Notify me
          </button>
        ) : null}
        <button type="button" class="tab keys" aria-label="Keys" onClick={() => change({ isHelpOpen: true })}>
          <kbd>?</kbd>
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        {viewOf(state)}
      </main>
      <div class="toasts">
        <Notices state={state} />
        <OutgoingList state={state} />
      </div>
      {state.isHelpOpen ? <Help /> : null}
    </>
  );
}

function waitingCount({ questions, arrived, ended, toCome }: State): number {
  return questions.filter(({ id }) => ended[id] === undefined).length + arrived.length + toCome;
}

/** The title of a tab or a step back: what is shown, in words. */
function nameOf({ phase, view, questions, selected, clarifications, openThread, week }: State): string {
  if (phase !== 'ready') return 'AgentX';
  const question = questions.find(({ id }) => id === selected);
  const record = clarifications.find(({ id }) => id === openThread);
  if (view === 'inbox' && question !== undefined) return `${titleOf(question)} - AgentX`;
  if (view === 'asks' && record !== undefined) return `${plainLine(record.topic)} - AgentX`;
  return `${NAMES[view]}${view === 'digest' && week !== undefined ? ` ${week}` : ''} - AgentX`;
}

/** The first stop of the tab key: skips the views and the list. */
function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a part of the page; only the address stays as it is
    <a
      class="skip"
      href="#content"
      onClick={(event) => {
        // The address says what is shown, not where the focus is.
        event.preventDefault();
        const place = document.querySelector<HTMLElement>('#asked') ?? document.querySelector<HTMLElement>('main');
        place?.focus();
      }}
    >
      Skip to the content
    </a>
  );
}

/** What was decided here can be taken back here, before the page is unlocked and sends it. */
function LockedPage({ state }: { readonly state: State }) {
  return (
    <>
      <Locked isKept={isAnythingKept(state)} />
      <div class="toasts">
        <Notices state={state} />
        <OutgoingList state={state} />
      </div>
    </>
  );
}

/** After a reload the page does not know whose it is, but it is there. */
function isAnythingKept({ outgoing, drafts }: State): boolean {
  const isInBrowser = ofBrowser.keys().some((key) => /^agentx (?:unsent|reason) /.test(key));
  return isInBrowser || outgoing.length + Object.keys(drafts).length > 0;
}

/** Always there, so that nothing moves when the server goes and comes back. */
function Connection({ state: { isOnline, isLive, outgoing } }: { readonly state: State }) {
  const queuedCount = outgoing.filter(({ phase }) => phase === 'queued').length;
  const queuedText = queuedCount === 0 ? '' : `, ${queuedCount} to send`;
  const [word, more] = !isOnline
    ? [`offline${queuedText}`, ': what you write is kept']
    : isLive
      ? ['live', '']
      : ['not live', ': read again every few seconds'];
  return (
    <p class={isOnline && isLive ? 'connection quiet' : 'connection away'} role="status">
      {word}
      {more === '' ? null : <span class="more">{more}</span>}
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
      onKeyDown={({ key, isComposing }) => key === 'Escape' && !isComposing && change({ isNaming: false })}
    >
      <label>
        Your name <input type="text" name="name" maxLength={80} defaultValue={principal} ref={focusOnce} />
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
    case 'memory':
      return <MemoryView state={state} />;
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
        <button type="button" class="main" onClick={() => void tryAgain()}>
          Try again
        </button>
      </p>
    </main>
  );
}
