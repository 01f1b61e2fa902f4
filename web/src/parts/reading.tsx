import { useEffect, useState } from 'preact/hooks';
import { show } from '../actions.js';
import type { State } from '../state.js';

const CALM_MS = 300;

/** A quick read shows no message. */
export function useIsSlow(): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), CALM_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

/** Stands in for a view without content: it is on its way, the server is away, or it could not be read. */
export function Reading({ what, state }: { readonly what: string; readonly state: State }) {
  const isSlow = useIsSlow();
  const { unread, isOnline, view } = state;
  if (!isOnline) return <p class="quiet alone">The server is away. This view opens when it is back.</p>;
  if (unread === undefined) {
    return (
      <p class="quiet alone" role="status">
        {isSlow ? `Reading ${what}.` : ''}
      </p>
    );
  }
  return (
    <div class="alone">
      <h2 tabIndex={-1}>This could not be read</h2>
      <p role="alert">{unread}</p>
      <p>
        <button type="button" class="main" onClick={() => void show(view)}>
          Try again
        </button>
      </p>
    </div>
  );
}
