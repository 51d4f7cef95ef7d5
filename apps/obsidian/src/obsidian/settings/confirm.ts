import { type App, Modal, Setting } from 'obsidian';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** What the answer is about, to the letter. */
  readonly lines?: readonly string[];
  readonly yes: string;
  readonly no: string;
  /** Something is taken away by a yes. */
  readonly isHarmful: boolean;
}

/** Asks before something is done that is not easily undone; resolves with the answer. */
export function confirm(
  app: App,
  { title, text, lines = [], yes, no, isHarmful }: Question,
): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new Modal(app);
    modal.setTitle(title);
    modal.contentEl.createEl('p', { text });
    for (const line of lines) modal.contentEl.createDiv({ cls: 'errand-launch', text: line });
    let isConfirmed = false;
    const agree = () => {
      isConfirmed = true;
      modal.close();
    };
    new Setting(modal.contentEl)
      .addButton((button) =>
        button
          .setButtonText(yes)
          .setClass(isHarmful ? 'mod-warning' : 'mod-cta')
          .onClick(agree),
      )
      .addButton((button) => button.setButtonText(no).onClick(() => modal.close()));
    modal.setCloseCallback(() => resolve(isConfirmed));
    modal.open();
  });
}
