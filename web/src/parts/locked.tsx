import { useState } from 'preact/hooks';
import { tokenIn } from '../api.js';
import { enter } from '../session.js';

const UNKNOWN = 'The server does not know this key.';
const UNHEARD = 'The key could not be tried yet. The page tries it again by itself.';

/**
 * The server does not know this browser: says where the link is, with a field for it. Opening the link in another tab
 * unlocks this one too.
 */
export function Locked({ isKept }: { readonly isKept: boolean }) {
  const [hint, setHint] = useState('');
  return (
    <main class="alone">
      <h1>AgentX</h1>
      <p>This inbox opens with a link that only you have.</p>
      <p>
        Look in the terminal where <code>agentx serve</code> runs and open the link it printed, or start it anew.
        {isKept ? ' What you wrote and decided here is kept.' : ''}
      </p>
      <form
        class="unlock"
        onSubmit={(event) => {
          event.preventDefault();
          const token = tokenIn(String(new FormData(event.currentTarget).get('link')));
          setHint(token === undefined ? 'That is no such link: it ends with #token= and a key.' : '');
          if (token !== undefined) void enter(token).then((isHeard) => setHint(isHeard ? UNKNOWN : UNHEARD));
        }}
      >
        <label>
          Or paste the link here <input type="text" name="link" autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Open</button>
      </form>
      <p role="status">{hint}</p>
    </main>
  );
}
