import type { State } from '../state.js';
import { useIsSlow } from './reading.js';

/** What the address names but is not here: it is unknown, or on its way. */
export function Missing({ id, state: { missing, isOnline } }: { readonly id: string; readonly state: State }) {
  const isSlow = useIsSlow();
  if (missing?.id === id) return <p role="alert">{missing.text}</p>;
  if (!isOnline) return <p class="quiet">The server is away. What the address names is read when it is back.</p>;
  return <p role="status">{isSlow ? 'Reading what the address names.' : ''}</p>;
}
