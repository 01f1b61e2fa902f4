/** For the `ref` of what is drawn because a person asked for it. It is one function, so that no later drawing focuses again. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}
