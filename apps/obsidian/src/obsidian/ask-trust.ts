import type { ServerConfig, ShownLaunch } from '@errand/host';
import { Component, Modal, type Plugin, Setting } from 'obsidian';
import type { OpenPlugin } from './open-plugin.ts';

/** Asks about those of these servers that nobody has agreed to yet; resolves with whether all may start. */
export function ensureTrust(
  { trustQuestions }: Pick<OpenPlugin, 'trustQuestions'>,
  servers: readonly ServerConfig[],
  agree = 'Agree and run',
): Promise<boolean> {
  return trustQuestions.ensure(servers, agree);
}

/** Shows what servers would start on this computer; resolves with whether the person agrees to all. */
export function askTrust(
  plugin: Plugin,
  shown: readonly ShownLaunch[],
  agree: string,
): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new Modal(plugin.app);
    // It goes with the plugin when that is disabled.
    const asking = plugin.addChild(new Component());
    asking.register(() => modal.close());
    const [only] = shown;
    modal.setTitle(
      shown.length === 1
        ? `Start server "${only?.server.name}"?`
        : `Start ${shown.length} servers?`,
    );
    const { contentEl } = modal;
    contentEl.createEl('p', {
      text: 'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    });
    for (const { server, does } of shown) {
      if (shown.length > 1) contentEl.createEl('h3', { text: server.name });
      contentEl.createEl('p', { cls: 'errand-launch', text: does.join('\n') });
    }
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
    modal.setCloseCallback(() => {
      plugin.removeChild(asking);
      resolve(isAgreed);
    });
    modal.open();
  });
}
