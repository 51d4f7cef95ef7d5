import type { ServerConfig } from '@errand/host';
import { type App, Modal, Setting } from 'obsidian';
import type { OfferedServer, OfferedServers } from '../../settings/offered-servers.ts';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { notices, showFailure } from '../notices.ts';
import { setLines } from './live-row.ts';

/** Shows servers of other programs to choose from; those chosen are stored, tested, and enabled when they work. */
export function chooseServers(
  app: App,
  controller: SettingsController,
  offered: OfferedServers,
): void {
  const modal = new Modal(app);
  modal.setTitle('Choose servers to add');
  const { contentEl } = modal;
  const chosen = new Set(offered.servers.filter(({ isOn, isStrange }) => isOn && !isStrange));
  const kept = new Set(offered.servers);
  for (const server of offered.servers) {
    drawOffer(contentEl, server, chosen);
    if (server.clear.length > 0) drawSecrets(contentEl, server, kept);
  }
  if (offered.servers.length === 0) {
    contentEl.createEl('p', { text: 'No other servers were found.' });
  }
  for (const text of offered.problems) contentEl.createDiv({ cls: 'errand-field-error', text });
  new Setting(contentEl)
    .addButton((button) =>
      button
        .setButtonText('Add selected')
        .setCta()
        .setDisabled(offered.servers.length === 0)
        .onClick(() => {
          modal.close();
          void addChosen(controller, [...chosen], kept).catch(showFailure);
        }),
    )
    .addButton((button) => button.setButtonText('Cancel').onClick(() => modal.close()));
  modal.open();
}

function drawOffer(el: HTMLElement, server: OfferedServer, chosen: Set<OfferedServer>): void {
  const { name } = server.entry;
  const setting = new Setting(el).setName(name);
  setLines(setting, server.lines);
  setting.addToggle((toggle) =>
    toggle
      .setValue(chosen.has(server))
      .setTooltip(`Add ${name}`)
      .onChange((isOn) => {
        if (isOn) chosen.add(server);
        else chosen.delete(server);
      }),
  );
}

function drawSecrets(el: HTMLElement, server: OfferedServer, kept: Set<OfferedServer>): void {
  const fields = server.clear.join(', ');
  new Setting(el)
    .setName(`Keep ${fields} as secrets`)
    .setDesc("In Obsidian's secret storage on this computer; the settings travel with the vault.")
    .addToggle((toggle) =>
      toggle
        .setValue(true)
        .setTooltip(`Keep ${fields} of ${server.entry.name} as secrets`)
        .onChange((isOn) => {
          if (isOn) kept.add(server);
          else kept.delete(server);
        }),
    );
}

async function addChosen(
  controller: SettingsController,
  chosen: readonly OfferedServer[],
  kept: ReadonlySet<OfferedServer>,
): Promise<void> {
  const entries: ServerConfig[] = [];
  for (const server of chosen) {
    const { entry } = server;
    entries.push(kept.has(server) ? await controller.keepSecretsOf(entry) : entry);
  }
  await controller.add(entries);
  const tests = chosen
    .filter(({ isOn }) => isOn)
    .map(({ entry }) => testAdded(controller, entry.id));
  await Promise.all(tests);
}

async function testAdded(controller: SettingsController, id: string): Promise<void> {
  const server = controller.server(id);
  if (server === undefined) return;
  await controller.vault.tests.begin(server, { enables: true });
  if (controller.test(id)?.error === undefined) return;
  const message = `Server "${server.name}" is added and stays disabled: its test failed.`;
  const detail = 'Its page in the settings of Errand says why.';
  notices.notify({ level: 'warning', message, detail });
}
