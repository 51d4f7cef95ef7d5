import type { AssistantConfig } from '@errand/host';
import { type App, Modal, Setting } from 'obsidian';
import { openUntil } from './open-until.ts';

/** Lets the person choose one of several assistants; nothing when they choose none. */
export function chooseAssistant(
  app: App,
  assistants: readonly AssistantConfig[],
  signal: AbortSignal,
): Promise<AssistantConfig | undefined> {
  return new Promise((resolve) => {
    const modal = new Modal(app);
    modal.setTitle('Ask which assistant?');
    let chosen: AssistantConfig | undefined;
    for (const assistant of assistants) {
      const { name, provider, model, baseUrl } = assistant;
      new Setting(modal.contentEl)
        .setName(name)
        .setDesc(`${model}, ${baseUrl ?? provider}`)
        .addButton((button) =>
          button.setButtonText(`Ask ${name}`).onClick(() => {
            chosen = assistant;
            modal.close();
          }),
        );
    }
    openUntil(modal, signal, () => resolve(chosen));
  });
}
