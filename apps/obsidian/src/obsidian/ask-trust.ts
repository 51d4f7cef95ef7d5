import { describeLaunch, type ServerConfig } from '@errand/host';
import { type App, Modal, Setting } from 'obsidian';
import type { OpenPlugin } from './open-plugin.ts';

/** Whether a server may be started: it is trusted, or the person agrees to it now. */
export async function isAgreed(
  { plugin: { app }, vault: { trust } }: Pick<OpenPlugin, 'plugin' | 'vault'>,
  server: ServerConfig,
  agree: string,
): Promise<boolean> {
  if (trust.verdict(server) === 'trusted') return true;
  if (!(await askTrust(app, server, agree))) return false;
  await trust.agree([server]);
  return true;
}

/** Shows what a server would start on this computer; resolves with whether the person agrees. */
function askTrust(app: App, server: ServerConfig, agree: string): Promise<boolean> {
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
          .setButtonText(agree)
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
