import { render } from 'preact';
import { start } from './actions.js';
import { listenToKeys } from './keyboard.js';
import { Page } from './page.js';
import { draw } from './state.js';

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  draw((state) => {
    const focused = document.activeElement;
    render(<Page state={state} />, root);
    // What had the focus may be gone: whoever works with the keyboard goes on at the question, not at the top.
    if (focused !== document.body && focused?.isConnected === false) focusOnQuestion();
  });
  listenToKeys();
  void start();
}

function focusOnQuestion(): void {
  const place = document.querySelector<HTMLElement>('.question h2') ?? document.querySelector<HTMLElement>('main');
  place?.focus({ preventScroll: true });
}
