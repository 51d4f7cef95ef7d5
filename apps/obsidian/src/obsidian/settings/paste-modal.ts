import { readImportable } from '@errand/workspace/servers';
import type { App } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { chooseServers } from './choose-servers.ts';
import { Field } from './field.ts';
import { FormModal } from './form-modal.ts';

/** Takes the configuration of another program as text, and offers the servers in it. */
export function openPasteForm(app: App, controller: SettingsController): void {
  const options = {
    name: 'Configuration',
    desc: 'JSON or TOML as Claude, VS Code, Cursor and others have it.',
    placeholder: '{ "mcpServers": { … } }',
  };
  new FormModal(app, {
    title: 'Paste servers of another program',
    draft: { text: '' },
    save: 'Read it',
    draw: (form, el) => {
      const field = form.add('text', new Field(el, options));
      field.area({ ...options, value: form.draft.text, onInput: (text) => form.change({ text }) });
    },
    check: ({ text }) =>
      text.trim() === '' ? { text: 'Paste the text of a configuration.' } : undefined,
    async store({ text }, form) {
      const found = await readImportable(text, { os: process.platform }, controller.vault);
      form.close();
      chooseServers(app, controller, found, { showsOrigin: false });
    },
  }).open();
}
