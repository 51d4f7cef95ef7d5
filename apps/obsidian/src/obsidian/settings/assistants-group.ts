import type { AssistantConfig } from '@errand/host';
import type { App } from 'obsidian';
import type { SettingsDesk } from '../../settings/settings-desk.ts';
import { tellFailure } from '../notices.ts';
import { askYes } from './ask-yes.ts';
import { openAssistantForm } from './assistant-modal.ts';
import type { SettingsGroup, SettingsRow } from './settings-group.ts';

/** The language models that may use the tools; the first is the default. */
export function assistantsGroup(app: App, desk: SettingsDesk): SettingsGroup {
  const { assistants } = desk.settings;
  return {
    heading: 'Assistants',
    list: {
      empty: 'No assistant yet. With one, a language model can use the tools of your servers.',
      add: 'Add an assistant',
      onAdd: () => openAssistantForm(app, desk),
    },
    rows: assistants.map((assistant, index) => assistantRow(app, desk, assistant, index === 0)),
  };
}

function assistantRow(
  app: App,
  desk: SettingsDesk,
  assistant: AssistantConfig,
  isDefault: boolean,
): SettingsRow {
  const { name, provider, model, baseUrl } = assistant;
  const isTrusted = desk.vault.trust.verdictOfAssistant(assistant) === 'trusted';
  const desc = [
    ...(isDefault ? ['Default'] : []),
    `${model} at ${baseUrl ?? provider}`,
    ...(isTrusted ? [] : ['not yet agreed on this computer']),
  ].join(' · ');
  const others = (all: readonly AssistantConfig[]) => all.filter((other) => other.name !== name);
  const first = () =>
    desk.save((all) => ({
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
            .onClick(() => void agree(app, desk, assistant).catch(tellFailure)),
        );
      }
      if (!isDefault) {
        setting.addExtraButton((button) =>
          button
            .setIcon('star')
            .setTooltip(`Make ${name} the default`)
            .onClick(() => void first().catch(tellFailure)),
        );
      }
      setting
        .addExtraButton((button) =>
          button
            .setIcon('pencil')
            .setTooltip(`Edit ${name}`)
            .onClick(() => openAssistantForm(app, desk, assistant)),
        )
        .addExtraButton((button) =>
          button
            .setIcon('trash')
            .setTooltip(`Remove ${name}`)
            .onClick(() => void remove().catch(tellFailure)),
        );
      return undefined;
    },
  };

  async function remove(): Promise<void> {
    const isYes = await askYes(app, {
      title: `Remove assistant "${name}"?`,
      text: 'Its entry leaves the settings. Conversations in notes stay, and its key stays in Obsidian.',
      yes: 'Remove',
      no: 'Keep it',
      isHarmful: true,
    });
    if (isYes) await desk.save((all) => ({ ...all, assistants: others(all.assistants) }));
  }
}

async function agree(app: App, desk: SettingsDesk, assistant: AssistantConfig): Promise<void> {
  const { name, provider, baseUrl, key } = assistant;
  const isYes = await askYes(app, {
    title: `Use assistant "${name}"?`,
    text: `What you ask${key === undefined ? '' : `, and ${key},`} is sent to ${baseUrl ?? provider}. It came with this vault; agree only if you know it.`,
    yes: 'Agree',
    no: 'Cancel',
    isHarmful: false,
  });
  if (!isYes) return;
  await desk.vault.trust.agree([], [assistant]);
  desk.tell();
}
