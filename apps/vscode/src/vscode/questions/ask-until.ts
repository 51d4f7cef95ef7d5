import { onAbort } from '@errand/wire';
import { type InputBox, type QuickPick, type QuickPickItem, window } from 'vscode';

/** What a list asks. */
interface ListQuestion<Item extends QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly Item[];
}

/** Lets a person choose from a list; nothing when they leave it, or when the signal withdraws it. */
export function pickUntil<Item extends QuickPickItem>(
  { title, placeholder, items }: ListQuestion<Item>,
  signal: AbortSignal,
): Promise<Item | undefined> {
  const list = window.createQuickPick<Item>();
  list.title = title;
  list.placeholder = placeholder;
  list.items = items;
  list.matchOnDetail = true;
  return answered(list, () => list.selectedItems[0], signal);
}

/** What a line asks. */
interface LineQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value: string;
  readonly isHidden: boolean;
  /** Why a text is no answer; nothing when it is one. */
  readonly refuse: (text: string) => string | undefined;
}

/** Lets a person write a line; nothing when they leave it, or when the signal withdraws it. */
export function askLineUntil(
  { title, prompt, value, isHidden, refuse }: LineQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const box = window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.value = value;
  box.password = isHidden;
  box.onDidChangeValue((text) => {
    box.validationMessage = refuse(text);
  });
  const accepted = () => {
    box.validationMessage = refuse(box.value);
    return box.validationMessage === undefined ? box.value : undefined;
  };
  return answered(box, accepted, signal);
}

function answered<Answer>(
  input: InputBox | QuickPick<QuickPickItem>,
  accepted: () => Answer | undefined,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  // A question must not vanish because another window got the focus.
  input.ignoreFocusOut = true;
  input.onDidAccept(() => {
    const answer = accepted();
    if (answer === undefined) return;
    resolve(answer);
    input.hide();
  });
  input.onDidHide(() => {
    resolve(undefined);
    input.dispose();
  });
  const listening = onAbort(signal, () => input.hide());
  if (signal.aborted) resolve(undefined);
  else input.show();
  return promise.finally(() => listening[Symbol.dispose]());
}
