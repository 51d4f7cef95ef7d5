import { type App, Modal, Setting } from 'obsidian';

/** Asks before something is taken away, and says what stays; resolves with the answer. */
export function askYes(
  app: App,
  { title, text, yes }: { readonly title: string; readonly text: string; readonly yes: string },
): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new Modal(app);
    modal.setTitle(title);
    modal.contentEl.createEl('p', { text });
    let isYes = false;
    new Setting(modal.contentEl)
      .addButton((button) =>
        button
          .setButtonText(yes)
          .setClass('mod-warning')
          .onClick(() => {
            isYes = true;
            modal.close();
          }),
      )
      .addButton((button) => button.setButtonText('Keep it').onClick(() => modal.close()));
    modal.setCloseCallback(() => resolve(isYes));
    modal.open();
  });
}
