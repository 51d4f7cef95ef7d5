/** Which pane the keys that are held ask for. */
export const Keymap = {
  isModEvent: (event?: MouseEvent | null): 'tab' | false =>
    event?.ctrlKey || event?.metaKey ? 'tab' : false,
};
