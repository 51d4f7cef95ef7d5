import { type Component, setIcon } from 'obsidian';
import { showFailure } from '../notices.ts';

/** How long it says that it did. */
const saidFor = 2_000;

/** Adds a button that puts a text on the clipboard. */
export function addCopyButton(owner: Component, parent: HTMLElement, text: string): void {
  const button = parent.createEl('button', { cls: 'errand-copy clickable-icon' });
  let timer: number | undefined;
  const show = (icon: string, label: string) => {
    setIcon(button, icon);
    button.setAttribute('aria-label', label);
  };
  show('copy', 'Copy the answer');
  const copy = async () => {
    await button.win.navigator.clipboard.writeText(text);
    show('check', 'Copied');
    window.clearTimeout(timer);
    timer = window.setTimeout(() => show('copy', 'Copy the answer'), saidFor);
  };
  button.addEventListener('click', () => void copy().catch(showFailure));
  owner.register(() => window.clearTimeout(timer));
}
