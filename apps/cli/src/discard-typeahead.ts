import { setImmediate } from 'node:timers/promises';
import type { Terminal } from './terminal.ts';

/** Nobody types on for so long. */
const mostTurns = 1_000;

/** Throws away what a person has typed at the terminal so far, also a line without an end. */
export async function discardTypeahead({ stdin, interrupt }: Terminal): Promise<void> {
  if (!stdin.isTTY) return;
  let hasCome = true;
  const drop = (chunk: Buffer | string) => {
    hasCome = true;
    // Ctrl-C is a key like any other now, and the one that must not be lost.
    if (chunk.includes('\u0003')) interrupt();
  };
  // Until its end, the terminal keeps a line to itself.
  stdin.setRawMode?.(true);
  stdin.on('data', drop);
  try {
    for (let turn = 0; hasCome && turn < mostTurns; turn += 1) {
      hasCome = false;
      // What the terminal holds is read between two of these; the first may come before that.
      await setImmediate();
      await setImmediate();
    }
  } finally {
    stdin.off('data', drop);
    stdin.pause();
    stdin.setRawMode?.(false);
  }
}
