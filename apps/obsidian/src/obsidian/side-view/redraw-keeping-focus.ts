/** Draws an element anew; what had the focus in it has it again, if it is still there. */
export function redrawKeepingFocus(el: HTMLElement, draw: () => void): void {
  const { activeElement } = el.doc;
  const name = el.contains(activeElement) ? (activeElement as HTMLElement).dataset.name : undefined;
  draw();
  if (name === undefined) return;
  const again = [...el.querySelectorAll<HTMLElement>('[data-name]')];
  again.find(({ dataset }) => dataset.name === name)?.focus();
}

/** A button that can be found again after it was drawn anew. */
export function addButton(
  el: HTMLElement,
  { text, label, isCta = false }: { text: string; label: string; isCta?: boolean },
  press: () => void,
): void {
  const button = el.createEl('button', { text, cls: isCta ? 'mod-cta' : '' });
  // What is read aloud begins with what is to be seen.
  button.setAttribute('aria-label', label);
  button.dataset.name = label;
  button.addEventListener('click', press);
}
