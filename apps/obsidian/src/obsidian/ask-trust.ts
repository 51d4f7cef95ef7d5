import { describeLaunch, type ServerConfig } from '@errand/host';
import { type App, Modal, Setting } from 'obsidian';
import type { OpenPlugin } from './open-plugin.ts';

/** Asks once about all of these servers that nobody has agreed to yet; resolves with whether they may start. */
export async function ensureTrust(
  { plugin: { app }, vault: { trust } }: OpenPlugin,
  servers: readonly ServerConfig[],
): Promise<boolean> {
  const untrusted = servers.filter((server) => trust.verdict(server) !== 'trusted');
  if (untrusted.length === 0) return true;
  if (!(await askTrust(app, ...untrusted))) return false;
  await trust.agree(untrusted);
  return true;
}

/** Shows what servers would start on this computer; resolves with whether the person agrees to all. */
export function askTrust(app: App, ...servers: readonly ServerConfig[]): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new Modal(app);
    const [only] = servers;
    modal.setTitle(
      servers.length === 1 ? `Start server "${only?.name}"?` : `Start ${servers.length} servers?`,
    );
    const { contentEl } = modal;
    contentEl.createEl('p', {
      text: 'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    });
    for (const server of servers) {
      if (servers.length > 1) contentEl.createEl('h3', { text: server.name });
      contentEl.createEl('p', { cls: 'errand-launch', text: describeLaunch(server).join('\n') });
    }
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
