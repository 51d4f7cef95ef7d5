import type { AssistantConfig } from '@errand/host';
import { describeAssistant } from '@errand/workspace/conversations';
import type { App } from 'obsidian';
import type { SettingsController } from '../../settings/settings-controller.ts';
import { showFailure } from '../notices.ts';
import { openAssistantForm } from './assistant-modal.ts';
import { confirm } from './confirm.ts';
import type { SettingsGroup, SettingsRow } from './settings-group.ts';

/** The language models that may use the tools; the first is the default. */
export function assistantsGroup(app: App, controller: SettingsController): SettingsGroup {
  const { assistants } = controller.settings;
  return {
    heading: 'Assistants',
    list: {
      empty: 'No assistant yet. With one, a language model can use the tools of your servers.',
      add: 'Add an assistant',
      onAdd: () => openAssistantForm(app, controller),
    },
    rows: assistants.map((assistant, index) =>
      assistantRow(app, controller, assistant, index === 0),
    ),
  };
}

function assistantRow(
  app: App,
  controller: SettingsController,
  assistant: AssistantConfig,
  isDefault: boolean,
): SettingsRow {
  const { name, provider, model, baseUrl } = assistant;
  const isTrusted = controller.vault.trust.verdictOfAssistant(assistant) === 'trusted';
  const desc = [
    ...(isDefault ? ['Default'] : []),
    `${model} at ${baseUrl ?? provider}`,
    ...(isTrusted ? [] : ['not yet agreed on this computer']),
  ].join(' · ');
  const others = (all: readonly AssistantConfig[]) => all.filter((other) => other.name !== name);
  const first = () =>
    controller.save((all) => ({
      ...all,
      assistants: [
        ...all.assistants.filter((each) => each.name === name),
        ...others(all.assistants),
      ],
    }));
  return {
    kind: 'row',
    name,
    desc,
    draw: (setting) => {
      setting.setName(name).setDesc(desc);
      if (!isTrusted) {
        setting.addButton((button) =>
          button
            .setButtonText('Agree')
            .setTooltip(`Agree to ${name}`)
            .onClick(() => void agree(app, controller, assistant).catch(showFailure)),
        );
      }
      if (!isDefault) {
        setting.addExtraButton((button) =>
          button
            .setIcon('star')
            .setTooltip(`Make ${name} the default`)
            .onClick(() => void first().catch(showFailure)),
        );
      }
      setting
        .addExtraButton((button) =>
          button
            .setIcon('pencil')
            .setTooltip(`Edit ${name}`)
            .onClick(() => openAssistantForm(app, controller, assistant)),
        )
        .addExtraButton((button) =>
          button
            .setIcon('trash')
            .setTooltip(`Remove ${name}`)
            .onClick(() => void remove().catch(showFailure)),
        );
      return undefined;
    },
  };

  async function remove(): Promise<void> {
    const isConfirmed = await confirm(app, {
      title: `Remove assistant "${name}"?`,
      text: 'Its entry is removed from the settings. Conversations in notes stay, and its key stays in Obsidian.',
      yes: 'Remove',
      no: 'Keep it',
      isHarmful: true,
    });
    if (isConfirmed)
      await controller.save((all) => ({ ...all, assistants: others(all.assistants) }));
  }
}

async function agree(
  app: App,
  controller: SettingsController,
  assistant: AssistantConfig,
): Promise<void> {
  const isConfirmed = await confirm(app, {
    title: `Use assistant "${assistant.name}"?`,
    text: 'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    lines: describeAssistant(assistant),
    yes: 'Agree',
    no: 'Cancel',
    isHarmful: false,
  });
  if (!isConfirmed) return;
  await controller.vault.trust.agree([], [assistant]);
  controller.tell();
}
