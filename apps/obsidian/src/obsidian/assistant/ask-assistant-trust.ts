import type { AssistantConfig } from '@errand/host';
import { oneLine, quoted } from '@errand/host';
import { type App, Modal, Setting } from 'obsidian';
import { openUntil } from './open-until.ts';

/** Shows where an assistant sends things; resolves with whether the person agrees. */
export function askAssistantTrust(
  app: App,
  assistant: AssistantConfig,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const { name, provider, model, baseUrl, key } = assistant;
    const modal = new Modal(app);
    modal.setTitle(`Use assistant "${name}"?`);
    const { contentEl } = modal;
    contentEl.createEl('p', {
      text: 'Nobody on this computer has agreed to it yet, or it was changed since. Your questions, the text around them, notes they link to and the answers of tools would go to:',
    });
    const facts = [`${baseUrl ?? provider} (${provider}, model ${quoted(model)})`];
    if (key !== undefined) facts.push(`with ${key}`);
    contentEl.createEl('p', {
      cls: 'errand-launch',
      text: facts.map((fact) => oneLine(fact)).join('\n'),
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
