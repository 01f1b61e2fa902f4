import { render } from 'preact';
import { start } from './actions.js';
import { follow, onBackAndForward } from './address.js';
import { focusLeftover, listenToPointer } from './focus-leftover.js';
import { open } from './go.js';
import { listenToKeys, noteLostField } from './keyboard.js';
import { Page } from './page.js';
import { draw } from './state.js';

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  draw((state) => {
    const focusedElement = document.activeElement;
    render(<Page state={state} />, root);
    follow(state);
    noteLostField(focusedElement);
    // The focused element may be gone: the keyboard goes on at the question, or at the view's name.
    if (focusedElement !== document.body && focusedElement?.isConnected === false) focusNearby();
  });
  listenToPointer();
  listenToKeys();
  onBackAndForward(open);
  void start();
}

function focusNearby(): void {
  const places = ['.question h2', 'main h2[tabindex]', '.tab[aria-current]'];
  const place = places.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? [])[0];
  focusLeftover(place);
}
