import { foldText } from '@errand/document/display';

/** Adds a text as it is; a long one is folded and opened in steps. */
export function addFoldedText(parent: HTMLElement, text: string): void {
  const pre = parent.createEl('pre', { cls: 'errand-result-text' });
  const buttons = parent.createDiv({ cls: 'errand-result-steps' });
  const show = (steps: number) => {
    const { shown, left, isShort } = foldText(text, steps);
    pre.textContent = shown;
    buttons.empty();
    if (isShort) return;
    const add = (label: string, next: number) => {
      const button = buttons.createEl('button', { text: label });
      button.addEventListener('click', () => {
        show(next);
        // The button that was pressed is gone; the one in its place can be pressed again.
        buttons.querySelector('button')?.focus();
      });
    };
    if (left !== undefined) add(`Show more (${left} left)`, steps + 1);
    if (steps > 0) add('Show less', 0);
  };
  show(0);
}
