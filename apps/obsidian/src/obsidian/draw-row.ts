/** Fills a row of a list of choices: what it is, of what kind, and a line about it. */
export function drawRow(
  el: HTMLElement,
  { label, detail, description = '' }: { label: string; detail: string; description?: string },
): void {
  el.addClass('errand-row');
  const head = el.createDiv({ cls: 'errand-row-head' });
  head.createSpan({ cls: 'errand-row-label', text: label });
  if (detail !== '') head.createSpan({ cls: 'errand-row-detail', text: detail });
  if (description !== '') el.createDiv({ cls: 'errand-row-detail', text: description });
}
