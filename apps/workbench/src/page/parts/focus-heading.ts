/** Moves the focus to the heading of the place, for those who do not see that everything is another. */
export function focusHeading(): void {
  focus('h1', {});
}

/** Gives the focus to a heading in place of a control that has gone, so that it is not lost; nothing moves. */
export function keepFocus(heading = 'h1'): void {
  focus(heading, { preventScroll: true });
}

function focus(heading: string, options: FocusOptions): void {
  const place = document.querySelector<HTMLElement>('#place');
  const target = place?.querySelector<HTMLElement>(heading);
  if (target) {
    target.tabIndex = -1;
    target.focus(options);
  }
  // There may be none, or it is not shown where there is little room.
  if (document.activeElement !== target) place?.focus(options);
}
