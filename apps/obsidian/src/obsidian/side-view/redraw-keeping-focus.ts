/** Redraws an element and restores the focus in it, if the focused control is still there. */
export function redrawKeepingFocus(el: HTMLElement, draw: () => void): void {
  const { activeElement } = el.doc;
  const name = el.contains(activeElement) ? (activeElement as HTMLElement).dataset.name : undefined;
  draw();
  if (name === undefined) return;
  const again = [...el.querySelectorAll<HTMLElement>('[data-name]')];
  again.find(({ dataset }) => dataset.name === name)?.focus();
}

/** Adds a button that is found again after a redraw. */
export function addButton(
  el: HTMLElement,
  { text, label, isCta = false }: { text: string; label: string; isCta?: boolean },
  press: () => void,
): void {
  const button = el.createEl('button', { text, cls: isCta ? 'mod-cta' : '' });
  // The accessible name must begin with the visible text.
  button.setAttribute('aria-label', label);
  button.dataset.name = label;
  button.addEventListener('click', press);
}
