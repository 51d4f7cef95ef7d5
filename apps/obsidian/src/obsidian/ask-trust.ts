import { describeLaunch, type ServerConfig } from '@errand/host';
import { type App, Modal, Setting } from 'obsidian';

/** Shows what a server would start on this computer; resolves with whether the person agrees. */
export function askTrust(app: App, server: ServerConfig): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new Modal(app);
    modal.setTitle(`Start server "${server.name}"?`);
    const { contentEl } = modal;
    contentEl.createEl('p', {
      text: 'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    });
    contentEl.createEl('p', { cls: 'errand-launch', text: describeLaunch(server).join('\n') });
    let isAgreed = false;
    new Setting(contentEl)
      .addButton((button) =>
        button
          .setButtonText('Agree and run')
          .setCta()
          .onClick(() => {
            isAgreed = true;
            modal.close();
          }),
      )
      .addButton((button) => button.setButtonText('Cancel').onClick(() => modal.close()));
    modal.setCloseCallback(() => resolve(isAgreed));
    modal.open();
  });
}
