let named = 0;

/**
 * Names an area for screen readers. Obsidian shows `aria-label` as a tooltip of everything in the element that has
 * it, so the name stands in a hidden element.
 */
export function nameArea(area: HTMLElement, name: string): void {
  const found = area.querySelector<HTMLElement>(':scope > .errand-area-name');
  const label = found ?? area.createSpan({ cls: 'errand-area-name', attr: { hidden: '' } });
  if (found === null) {
    named += 1;
    label.id = `errand-area-${named}`;
    area.setAttribute('aria-labelledby', label.id);
  }
  label.setAttribute('aria-label', name);
}
