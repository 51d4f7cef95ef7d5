/** Focuses the heading of the page, so that screen readers announce the change. */
export function focusHeading(): void {
  focus('h1', {});
}

/** Focuses a heading without scrolling when the focused control was removed. */
export function keepFocus(heading = 'h1'): void {
  focus(heading, { preventScroll: true });
}

function focus(heading: string, options: FocusOptions): void {
  const place = document.querySelector<HTMLElement>('#main');
  const target = place?.querySelector<HTMLElement>(heading);
  if (target) {
    target.tabIndex = -1;
    target.focus(options);
  }
  // The heading may be missing, or hidden on a narrow screen.
  if (document.activeElement !== target) place?.focus(options);
}
