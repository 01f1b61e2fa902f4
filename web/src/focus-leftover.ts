/*
 * Enter presses a button or a link that was reached with the keyboard. A clicked one has the focus as well, but the
 * click has already pressed it, so the next Enter is meant for the question. The same holds for an element that the
 * page itself focused.
 */

let isLeftover = false;

/** Moves the focus because the focused element is gone. */
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

/** Whether the focus got there in another way than by the person's keyboard. */
export function isFocusLeftover(): boolean {
  return isLeftover;
}
