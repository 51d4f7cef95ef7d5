import type { UserEvent } from 'obsidian';

/** Which pane the keys that are held ask for. */
export const Keymap = {
  isModEvent: (event?: UserEvent | null): 'tab' | false =>
    event?.ctrlKey || event?.metaKey ? 'tab' : false,
};
