/*
 * Enter on a button or a link means that one, if it was reached with the keyboard. What was clicked has the focus as well,
 * but whoever clicked it has got what it does and means the question with the next Enter. What the page itself put the
 * focus on nobody meant either.
 */

let isLeftover = false;

/** The focus goes somewhere because what had it is gone. */
export function focusLeftover(place: HTMLElement | undefined): void {
  isLeftover = true;
  place?.focus({ preventScroll: true });
}

export function listenToPointer(): void {
  document.addEventListener('pointerdown', () => {
    isLeftover = true;
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Tab') isLeftover = false;
  });
}

/** Whether the focus is where it is for another reason than that the person went there with the keyboard. */
export function isFocusLeftover(): boolean {
  return isLeftover;
}
