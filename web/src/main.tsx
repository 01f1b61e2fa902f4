import { render } from 'preact';
import { start } from './actions.js';
import { listenToKeys } from './keyboard.js';
import { Page } from './page.js';
import { draw } from './state.js';

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  draw((state) => render(<Page state={state} />, root));
  listenToKeys();
  void start();
}
