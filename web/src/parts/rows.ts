/**
 * A list of buttons at which the tab key stops once; inside it the arrow keys move. The stop is the row that last had
 * the focus, or the first one.
 */
export function stopAtOne(list: HTMLElement | null): void {
  if (list === null) return;
  const rows = () => [...list.querySelectorAll<HTMLElement>('[data-row]')];
  const stopAt = (stop: HTMLElement | undefined) => {
    for (const row of rows()) row.tabIndex = row === stop ? 0 : -1;
  };
  let stop: HTMLElement | undefined;
  const settle = () => {
    const all = rows();
    if (stop === undefined || !all.includes(stop)) [stop] = all;
    stopAt(stop);
  };
  settle();
  new MutationObserver(settle).observe(list, { childList: true, subtree: true });
  list.addEventListener('focusin', ({ target }) => {
    const row = rows().find((one) => one === target);
    if (row === undefined) return;
    stop = row;
    stopAt(row);
  });
  list.addEventListener('keydown', (event) => {
    const all = rows();
    const index = all.findIndex((row) => row.contains(document.activeElement));
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: all.length - 1 }[event.key];
    if (index === -1 || next === undefined) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
  });
}
