/** Shows a result as plain text: nothing in it is run, whatever it says. */
export function showResult(status: 'success' | 'error', payload: string, el: HTMLElement): void {
  el.createEl('pre', { cls: 'errand-result', text: payload, attr: { 'data-status': status } });
}
