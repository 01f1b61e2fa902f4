import { go } from '../go.js';
import { closeProblem } from '../notices.js';
import type { State } from '../state.js';

/** What was done, for a moment; what failed, until it is read. */
export function Notices({ state: { notice, problems } }: { readonly state: State }) {
  return (
    <>
      <div role="alert">
        <ul class="problems plain">
          {problems.map(({ key, text, questionId }) => (
            <li key={key} class="notice problem">
              <span>{text}</span>
              <span class="buttons">
                {questionId === undefined ? null : (
                  <button
                    type="button"
                    onClick={() => {
                      go({ view: 'inbox', id: questionId });
                      closeProblem(key);
                    }}
                  >
                    Show
                  </button>
                )}
                <button type="button" onClick={() => closeProblem(key)}>
                  Close
                </button>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p class={notice === undefined ? 'notice empty' : `notice ${notice.kind}`} role="status">
        {notice?.text}
      </p>
    </>
  );
}
