import { describeLaunch, type ServerConfig } from '@errand/host';
import { Component, Modal, type Plugin, Setting } from 'obsidian';

/** Shows what a server would start on this computer; resolves with whether the person agrees. */
export function askTrust(plugin: Plugin, server: ServerConfig): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new Modal(plugin.app);
    // It goes with the plugin when that is disabled.
    const asking = plugin.addChild(new Component());
    asking.register(() => modal.close());
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
    modal.setCloseCallback(() => {
      plugin.removeChild(asking);
      resolve(isAgreed);
    });
    modal.open();
  });
}
