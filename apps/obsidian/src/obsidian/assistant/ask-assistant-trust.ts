import type { AssistantConfig } from '@errand/host';
import { describeAssistant } from '@errand/workspace/conversations';
import { type App, Modal, Setting } from 'obsidian';
import { openUntil } from './open-until.ts';

/** Shows where an assistant sends things; resolves with whether the person agrees. */
export function askAssistantTrust(
  app: App,
  assistant: AssistantConfig,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const modal = new Modal(app);
    modal.setTitle(`Use assistant "${assistant.name}"?`);
    const { contentEl } = modal;
    contentEl.createEl('p', {
      text: 'Nobody on this computer has agreed to it yet, or it was changed since. It:',
    });
    contentEl.createEl('p', {
      cls: 'errand-launch',
      text: describeAssistant(assistant).join('\n'),
    });
    let isAgreed = false;
    new Setting(contentEl)
      .addButton((button) =>
        button
          .setButtonText('Agree and ask')
          .setCta()
          .onClick(() => {
            isAgreed = true;
            modal.close();
          }),
      )
      .addButton((button) => button.setButtonText('Cancel').onClick(() => modal.close()));
    openUntil(modal, signal, () => resolve(isAgreed));
  });
}
