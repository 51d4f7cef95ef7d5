import type { HooksMethods } from '@errand/hooks';
import type { EditorMessage, PageMessage, PageMethod } from '../hooks/editor-messages.ts';

declare function acquireVsCodeApi(): { postMessage(message: PageMessage): void };

const extension = acquireVsCodeApi();
const waiting = new Map<number, PromiseWithResolvers<unknown>>();
const listeners = new Set<() => void>();
let last = 0;

window.addEventListener('message', ({ data }: MessageEvent<EditorMessage>) => {
  if (data.kind === 'tools-changed') {
    for (const listener of listeners) listener();
    return;
  }
  const asked = waiting.get(data.id);
  waiting.delete(data.id);
  if (data.kind === 'answer') asked?.resolve(data.value);
  else asked?.reject(new Error(data.message));
});

/** Asks the hooks of the vault through the extension. */
export async function ask<Method extends PageMethod>(
  method: Method,
  params: HooksMethods[Method]['params'],
  signal?: AbortSignal,
): Promise<HooksMethods[Method]['result']> {
  signal?.throwIfAborted();
  const id = ++last;
  const answer = Promise.withResolvers<unknown>();
  waiting.set(id, answer);
  extension.postMessage({ kind: 'ask', id, method, params } as PageMessage);
  const giveUp = () => {
    waiting.delete(id);
    extension.postMessage({ kind: 'cancel', id });
    answer.reject(signal?.reason);
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return (await answer.promise) as HooksMethods[Method]['result'];
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

export function tellSaved(hook: string, name: string): void {
  extension.postMessage({ kind: 'saved', hook, name });
}

/** Calls back when servers or tools have changed, until what it returns is called. */
export function onToolsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
