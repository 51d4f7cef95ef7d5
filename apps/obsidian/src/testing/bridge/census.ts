import { createHook } from 'node:async_hooks';

/** What stays open until somebody ends it, as Node's hooks call it. */
const kinds = new Set([
  'FSEVENTWRAP',
  'PIPESERVERWRAP',
  'PIPEWRAP',
  'PROCESSWRAP',
  'STATWATCHER',
  'TCPSERVERWRAP',
  'TCPWRAP',
  'TLSWRAP',
  'Timeout',
]);

/** Begins to count timers, sockets, processes and watched files; returns what says how many there are of each. */
export function startCensus(): () => Readonly<Record<string, number>> {
  const open = new Map<number, string>();
  createHook({
    init(id, kind) {
      if (kinds.has(kind)) open.set(id, kind);
    },
    destroy(id) {
      open.delete(id);
    },
  }).enable();
  return () => {
    const counts: Record<string, number> = {};
    for (const kind of open.values()) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  };
}
