/*
 * Enter on a button or a link means that one, if it was reached with the keyboard. What was clicked has the focus as well,
 * but whoever clicked it has got what it does and means the question with the next Enter.
 */

let isByPointer = false;

export function listenToPointer(): void {
  document.addEventListener('pointerdown', () => {
    isByPointer = true;
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Tab') isByPointer = false;
  });
}

/** Whether the focus is where it is because of a click. */
export function isFocusByPointer(): boolean {
  return isByPointer;
}
