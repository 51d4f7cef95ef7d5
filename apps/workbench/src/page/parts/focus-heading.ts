/** Moves the focus to the heading of the place, for those who do not see that everything is another. */
export function focusHeading(): void {
  const place = document.querySelector<HTMLElement>('#place');
  const target = place?.querySelector<HTMLElement>('h1') ?? place;
  if (!target) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
