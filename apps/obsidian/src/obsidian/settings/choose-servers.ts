import {
  describeOrigin,
  type ImportableServer,
  type ImportableServers,
  planImport,
  storeImport,
} from '@errand/workspace/servers';
import { type App, Modal, Setting } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { obsidianAdviceLines } from '../../text/advice.ts';
import { notices, showFailure } from '../notices.ts';
import { setLines } from './live-row.ts';

/** Shows servers of other programs to choose from; those chosen are stored, tested, and enabled when they work. */
export function chooseServers(
  app: App,
  controller: SettingsController,
  { servers, problems }: ImportableServers,
  { showsOrigin }: { readonly showsOrigin: boolean },
): void {
  const modal = new Modal(app);
  modal.setTitle('Choose servers to add');
  const { contentEl } = modal;
  const chosen = new Set(servers.filter(isPreselected));
  const plain = new Set<ImportableServer>();
  for (const server of servers) {
    const from = showsOrigin ? [`From ${server.origins.map(describeOrigin).join(', ')}`] : [];
    drawServer(contentEl, server, from, chosen);
    if (server.secretFields.length > 0) drawSecrets(contentEl, server, plain);
  }
  if (servers.length === 0) {
    contentEl.createEl('p', { text: 'No other servers were found.' });
  }
  for (const text of problems) contentEl.createDiv({ cls: 'errand-field-error', text });
  new Setting(contentEl)
    .addButton((button) =>
      button
        .setButtonText('Add selected')
        .setCta()
        .setDisabled(servers.length === 0)
        .onClick(() => {
          modal.close();
          void addChosen(controller, [...chosen], plain).catch(showFailure);
        }),
    )
    .addButton((button) => button.setButtonText('Cancel').onClick(() => modal.close()));
  modal.open();
}

/** A server that only files of the vault list was not chosen by the user. */
function isPreselected({ isEnabledThere, origins, sameAs }: ImportableServer): boolean {
  const isFromVault = origins.every((origin) => origin.isFromVault === true);
  return isEnabledThere && !isFromVault && sameAs === undefined;
}

function drawServer(
  el: HTMLElement,
  server: ImportableServer,
  from: readonly string[],
  chosen: Set<ImportableServer>,
): void {
  const { entry, does, notes, advice, sameAs } = server;
  const setting = new Setting(el).setName(entry.name);
  const known = sameAs === undefined ? [] : [`Already here, as "${sameAs}".`];
  setLines(setting, [...known, ...from, ...does, ...notes, ...obsidianAdviceLines(advice)]);
  setting.addToggle((toggle) =>
    toggle
      .setValue(chosen.has(server))
      .setTooltip(`Add ${entry.name}`)
      .onChange((isOn) => {
        if (isOn) chosen.add(server);
        else chosen.delete(server);
      }),
  );
}

function drawSecrets(
  el: HTMLElement,
  server: ImportableServer,
  plain: Set<ImportableServer>,
): void {
  const fields = server.secretFields.join(', ');
  new Setting(el)
    .setName(`Keep ${fields} as secrets`)
    .setDesc("In Obsidian's secret storage on this computer; the settings travel with the vault.")
    .addToggle((toggle) =>
      toggle
        .setValue(true)
        .setTooltip(`Keep ${fields} of ${server.entry.name} as secrets`)
        .onChange((isOn) => {
          if (isOn) plain.delete(server);
          else plain.add(server);
        }),
    );
}

async function addChosen(
  controller: SettingsController,
  chosen: readonly ImportableServer[],
  plain: ReadonlySet<ImportableServer>,
): Promise<void> {
  const { vault } = controller;
  await storeImport(await planImport(chosen, vault, (server) => plain.has(server)), vault);
  await controller.readSecrets();
  const tests = chosen
    .filter(({ isEnabledThere }) => isEnabledThere)
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
