import type { SettingsFile } from '@errand/machine/node';
import { Component, Modal, Notice, type Plugin, Setting } from 'obsidian';
import { showFailure } from './notices.ts';

/** Asks which file holds when the vault has two with settings; without an answer it is asked at the next start. */
export async function chooseSettings(plugin: Plugin, settings: SettingsFile): Promise<void> {
  const rival = settings.findRival();
  if (rival === undefined) return;
  const chosen = await ask(plugin, [settings.name, rival]);
  if (chosen === undefined) return;
  try {
    const backup = await settings.choose(chosen);
    if (backup !== undefined) new Notice(`${chosen} holds. The other is now ${backup}`);
  } catch (error) {
    showFailure(error);
  }
}

function ask(plugin: Plugin, files: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const modal = new Modal(plugin.app);
    // It goes with the plugin when that is disabled.
    const asking = plugin.addChild(new Component());
    asking.register(() => modal.close());
    modal.setTitle('Which settings file should be used?');
    modal.contentEl.createEl('p', {
      text: `This vault has two settings files. The command line and Obsidian use the same one: until you choose, ${files[0]}. The other is kept as a backup.`,
    });
    let chosen: string | undefined;
    for (const file of files) {
      new Setting(modal.contentEl).setName(file).addButton((button) =>
        button.setButtonText('Use').onClick(() => {
          chosen = file;
          modal.close();
        }),
      );
    }
    modal.setCloseCallback(() => {
      plugin.removeChild(asking);
      resolve(chosen);
    });
    modal.open();
  });
}
