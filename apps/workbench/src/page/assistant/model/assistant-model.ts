import { signal } from '@preact/signals';
import type { ConversationLocation } from '../../../contract.ts';
import type { WorkbenchModel } from '../../model/workbench-model.ts';
import { OpenConversation } from './open-conversation.ts';

/** The open conversation, and others with an unsent draft. */
export class AssistantModel {
  readonly #workbench: WorkbenchModel;
  readonly #open = new Map<string, OpenConversation>();
  /** The name of the assistant that the person chose; else the first. */
  readonly chosen = signal<string | undefined>(undefined);

  constructor(workbench: WorkbenchModel) {
    this.#workbench = workbench;
    workbench.subscribe((event) => {
      for (const conversation of this.#open.values()) conversation.take(event);
    });
  }

  open(place: ConversationLocation): OpenConversation {
    const key = JSON.stringify([place.note, place.isKept]);
    for (const [other, { draft }] of this.#open) {
      if (other !== key && draft.value === '') this.#open.delete(other);
    }
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opened = new OpenConversation(place, this.#workbench);
    this.#open.set(key, opened);
    return opened;
  }
}
