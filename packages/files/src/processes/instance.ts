import { randomUUID } from 'node:crypto';

/**
 * A set of names that every loading of this program into one window shares: a plugin that is loaded again has modules
 * of its own while the earlier one is still going away.
 */
export function sharedNames(kind: 'instances' | 'temporary-files'): Set<string> {
  const shared = globalThis as unknown as Record<symbol, Set<string> | undefined>;
  const key = Symbol.for(`errand.${kind}`);
  const names = shared[key] ?? new Set();
  shared[key] = names;
  return names;
}

let own: string | undefined;

/**
 * Names this loading of the program where its process outlives it: in an editor, which loads a plugin or its whole
 * window anew. Undefined in programs that are a process by themselves.
 */
export function ownInstance(): string | undefined {
  if ((process as { readonly type?: unknown }).type !== 'renderer') return undefined;
  own ??= randomUUID();
  sharedNames('instances').add(own);
  return own;
}

/** Whether an instance is gone although its process is there: this process has loaded its window anew since. */
export function isDroppedInstance(pid: number, instance: string | undefined): boolean {
  return instance !== undefined && pid === process.pid && !sharedNames('instances').has(instance);
}
