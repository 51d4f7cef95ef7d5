import type { Detour } from './borrow-node.ts';

/** What loading a plugin took, in milliseconds; reading the file `main.js` is not part of it. */
export interface Loading {
  readonly evaluateMs: number;
  /** From `onload` until the plugin is ready. */
  readonly onloadMs: number;
  readonly detour: Detour;
}

/** What was added to a detour since an earlier time. */
export function detourSince(before: Detour, now: Detour): Detour {
  return {
    calls: now.calls - before.calls,
    askingMs: now.askingMs - before.askingMs,
    waitingMs: now.waitingMs - before.waitingMs,
    nodeMs: now.nodeMs - before.nodeMs,
  };
}
