import { namedSecrets } from '@errand/host';
import type { App } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { Field } from './field.ts';
import { FormModal } from './form-modal.ts';
import type { SettingsGroup } from './settings-group.ts';

/** The secrets that the settings name, and whether Obsidian has them on this computer. */
export function secretsGroup(app: App, controller: SettingsController): SettingsGroup | undefined {
  const names = namedSecrets(controller.settings);
  if (names.length === 0) return undefined;
  const { missingSecrets } = controller;
  return {
    heading: 'Secrets',
    rows: names.map((name) => {
      const isMissing = missingSecrets.includes(name);
      const desc = isMissing
        ? 'Not set on this computer. Servers that need it cannot start until it is.'
        : "Kept in Obsidian's secret storage on this computer; the settings hold only its name.";
      return {
        kind: 'row',
        name,
        desc,
        draw: (setting) => {
          setting.setName(name).setDesc(desc);
          setting.addButton((button) => {
            button
              .setButtonText(isMissing ? 'Set' : 'Replace')
              .setTooltip(`${isMissing ? 'Set' : 'Replace'} ${name}`)
              .onClick(() => openSecretForm(app, controller, name));
            if (isMissing) button.setCta();
          });
          return undefined;
        },
      };
    }),
  };
}

function openSecretForm(app: App, controller: SettingsController, name: string): void {
  const form = new FormModal(app, {
    title: `Secret "${name}"`,
    draft: { value: '' },
    save: 'Keep it',
    draw: (drawn, el) => {
      const field = new Field(el, { name: 'Value', desc: 'It is not written into the settings.' });
      drawn.add('value', field);
      field.text({ name: 'Value', value: '', onInput: (value) => drawn.change({ value }) });
      field.inputEl?.setAttr('type', 'password');
    },
    check: ({ value }) => (value === '' ? { value: 'Type or paste the secret.' } : undefined),
    async store({ value }) {
      await controller.setSecret(name, value);
      form.close();
    },
  });
  form.open();
}
