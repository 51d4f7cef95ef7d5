import type { AssistantConfig } from '@errand/host';
import {
  type AssistantDraft,
  checkAssistant,
  draftOfAssistant,
  emptyAssistant,
  keepKey,
  secretReference,
  storeAssistant,
} from '@errand/workspace/settings';
import { type App, SecretComponent } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { inObsidian } from '../../text/advice.ts';
import { showFailure } from '../notices.ts';
import { Field } from './field.ts';
import { FormModal } from './form-modal.ts';

type Form = FormModal<AssistantDraft>;

const providers = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  'openai-compatible': 'Ollama, or any OpenAI-compatible URL',
};

/** Adds an assistant, or changes the one that is given. */
export function openAssistantForm(
  app: App,
  controller: SettingsController,
  before?: AssistantConfig,
): void {
  const form = new FormModal<AssistantDraft>(app, {
    title: before === undefined ? 'Add an assistant' : `Edit assistant "${before.name}"`,
    draft: before === undefined ? emptyAssistant : draftOfAssistant(before),
    save: 'Save',
    draw: (drawn, el) => drawFields(drawn, el, controller),
    check: (draft) => {
      const { refused } = checkAssistant(draft, controller.settings, before?.name);
      return refused && { [refused.path]: inObsidian(refused) };
    },
    async store() {
      const { assistant } = await storeAssistant(controller.vault, form.draft, before?.name);
      if (assistant === undefined) return;
      await controller.readSecrets();
      form.close();
    },
  });
  if (before !== undefined)
    form.register(controller.onChange(() => tellConflict(form, controller, before)));
  form.open();
}

function tellConflict(form: Form, controller: SettingsController, before: AssistantConfig): void {
  const now = controller.settings.assistants.find(({ name }) => name === before.name);
  if (now === undefined) {
    form.note('This assistant was removed in the meantime. Saving adds it again.');
  } else if (JSON.stringify(now) !== JSON.stringify(before)) {
    const text = 'This assistant was changed in the meantime. Saving replaces that.';
    const take = () => {
      form.draft = draftOfAssistant(now);
      form.note('');
      form.drawFields();
    };
    form.note(text, { label: 'Load the stored version', onClick: take });
  }
}

function drawFields(form: Form, el: HTMLElement, controller: SettingsController): void {
  const { draft } = form;
  form.addChoice(el, 'provider', 'Provider', providers);
  form.addText(el, 'name', {
    name: 'Name',
    desc: 'It opens its answers in a note, as in "#Claude :".',
    placeholder: 'Claude',
  });
  form.addText(el, 'model', { name: 'Model', desc: "The model's name as its provider writes it." });
  const needsUrl = draft.provider === 'openai-compatible';
  const desc = needsUrl ? 'Where its API is.' : "Empty: the provider's own.";
  const placeholder = 'http://127.0.0.1:11434/v1';
  form.addText(el, 'baseUrl', { name: 'Base URL', desc, placeholder });
  drawKey(form, el, controller);
  const range = "0 to 2. Empty: the provider's own.";
  form.addText(el, 'temperature', { name: 'Temperature', desc: range });
}

function drawKey(form: Form, el: HTMLElement, controller: SettingsController): void {
  const field = form.add(
    'key',
    new Field(el, {
      name: 'Key',
      desc: "One of Obsidian's secrets, by its name; or type a key, which is kept there.",
    }),
  );
  const [, chosen = ''] = /^\$\{secret:(.+)\}$/.exec(form.draft.key) ?? [];
  const choose = (secret: string) =>
    form.change({ key: secret === '' ? '' : secretReference(secret) });
  field.setting.addComponent((parent) =>
    new SecretComponent(form.app, parent).setValue(chosen).onChange(choose),
  );
  field.setting
    .addText((input) => {
      input.inputEl.type = 'password';
      input.inputEl.setAttr('aria-label', 'New key');
      input.setValue(form.draft.newKey).onChange((newKey) => form.change({ newKey }));
    })
    .addButton((button) =>
      button.setButtonText('Keep as a secret').onClick(() => {
        void keepTyped(form, controller).catch(showFailure);
      }),
    );
}

async function keepTyped(form: Form, controller: SettingsController): Promise<void> {
  const key = await keepKey(form.draft, controller.vault.secrets);
  form.change({ key, newKey: '' });
  await controller.readSecrets();
  form.drawFields();
}
