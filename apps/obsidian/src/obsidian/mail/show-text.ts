import { type App, Modal } from 'obsidian';

interface ShownText {
  readonly title: string;
  readonly lines: readonly string[];
  /** Shown below, folded. */
  readonly details: readonly string[];
}

/** Shows lines in a dialog; resolves when it is closed. */
export function showText(app: App, { title, lines, details }: ShownText): Promise<void> {
  return new Promise((resolve) => {
    const modal = new Modal(app);
    modal.setTitle(title);
    for (const text of lines) modal.contentEl.createEl('p', { text });
    if (details.length > 0) {
      const more = modal.contentEl.createEl('details');
      more.createEl('summary', { text: 'What happened' });
      for (const text of details) more.createDiv({ cls: 'errand-launch', text });
    }
    modal.setCloseCallback(() => resolve());
    modal.open();
  });
}
