import { type App, Modal, Setting } from 'obsidian';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** Exactly what is to be confirmed. */
  readonly lines?: readonly string[];
  readonly yes: string;
  readonly no: string;
  /** Confirming removes something. */
  readonly isHarmful: boolean;
}

/** Asks for confirmation in a dialog; resolves with the answer. */
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
