import type { HooksMethods } from '@errand/hooks';

/** What the page of the hook editor may ask; everything else is refused. */
export const pageMethods = [
  'list',
  'options',
  'discover',
  'preview',
  'save',
  'test',
  'run',
  'wait',
  'remove',
] as const satisfies readonly (keyof HooksMethods)[];

export type PageMethod = (typeof pageMethods)[number];

/** What the page tells the extension. */
export type PageMessage =
  | { [Method in PageMethod]: AskMessage<Method> }[PageMethod]
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** The hook that the page is about from now on: it was stored. */
  | { readonly kind: 'saved'; readonly hook: string; readonly name: string };

export interface AskMessage<Method extends PageMethod> {
  readonly kind: 'ask';
  readonly id: number;
  readonly method: Method;
  readonly params: HooksMethods[Method]['params'];
}

/** What the extension tells the page. */
export type EditorMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  | { readonly kind: 'tools-changed' };
