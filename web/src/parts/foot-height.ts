/** Notices stand above the buttons of a question, however many lines these take. */
const observer = new ResizeObserver(([entry]) => {
  const { height = 0 } = entry?.target.getBoundingClientRect() ?? {};
  document.documentElement.style.setProperty('--foot', `${height}px`);
});

export function noteFootHeight(foot: HTMLElement | null): void {
  observer.disconnect();
  if (foot === null) document.documentElement.style.removeProperty('--foot');
  else observer.observe(foot);
}
