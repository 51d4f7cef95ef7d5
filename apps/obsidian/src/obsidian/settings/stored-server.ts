import type { ServerConfig } from '@errand/host';
import { type App, Modal, Setting } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { testLines } from '../../settings/test-lines.ts';
import { notices, showFailure } from '../notices.ts';

/** Tests a server that was just stored, step by step; one that works is enabled, and what to do is asked about the others (D16). */
export function showStored(
  app: App,
  controller: SettingsController,
  id: string,
  { enables, onEdit }: { readonly enables: boolean; readonly onEdit: (now: ServerConfig) => void },
): void {
  const server = controller.server(id);
  // What came with the vault is agreed to first.
  if (server === undefined || controller.vault.trust.mayStart(server) !== undefined) return;
  const modal = new Modal(app);
  modal.setTitle(`Test of server "${server.name}"`);
  const { contentEl } = modal;
  const steps = contentEl.createDiv({ cls: 'errand-steps', attr: { role: 'status' } });
  const buttons = contentEl.createDiv();
  const show = () => {
    steps.empty();
    for (const text of testLines(controller.test(id))) steps.createDiv({ text });
  };
  const stop = controller.onChange(show);
  modal.setCloseCallback(stop);
  const close = new Setting(buttons).addButton((button) =>
    button.setButtonText('Close').onClick(() => modal.close()),
  );
  modal.open();
  void controller.vault.tests.begin(server, { enables }).then(() => {
    show();
    const test = controller.test(id);
    if (test?.error === undefined) {
      if (test?.isRunning !== false) return;
      const enabled = enables ? ' and is enabled' : '';
      notices.notify({ level: 'info', message: `Server "${server.name}" works${enabled}.` });
      return;
    }
    const act = (work: () => unknown) => () => {
      modal.close();
      void Promise.resolve(work()).catch(showFailure);
    };
    const now = controller.server(id);
    if (now === undefined) return;
    close.clear();
    close.addButton((button) =>
      button
        .setButtonText('Change it')
        .setCta()
        .onClick(act(() => onEdit(now))),
    );
    if (!enables) return;
    close
      .addButton((button) => button.setButtonText('Keep it disabled').onClick(act(() => {})))
      .addButton((button) =>
        button
          .setButtonText('Enable it anyway')
          .onClick(act(() => controller.vault.host.servers.setEnabled(id, true))),
      )
      .addButton((button) =>
        button.setButtonText('Remove it').onClick(act(() => controller.remove(id))),
      );
  }, showFailure);
}
