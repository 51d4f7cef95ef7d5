import { setImmediate } from 'node:timers/promises';
import type { Terminal } from './terminal.ts';

/** Limits the reading when input never stops. */
const mostTurns = 1_000;

/** Discards everything typed at the terminal so far, including an unfinished line. */
export async function discardTypeahead({ stdin, interrupt }: Terminal): Promise<void> {
  if (!stdin.isTTY) return;
  let hasCome = true;
  const drop = (chunk: Buffer | string) => {
    hasCome = true;
    // In raw mode Ctrl-C arrives as a character, and must not be lost.
    if (chunk.includes('\u0003')) interrupt();
  };
  // In line mode the terminal withholds an unfinished line.
  stdin.setRawMode?.(true);
  stdin.on('data', drop);
  try {
    for (let turn = 0; hasCome && turn < mostTurns; turn += 1) {
      hasCome = false;
      // Pending input is read between two ticks; the first may come too early.
      await setImmediate();
      await setImmediate();
    }
  } finally {
    stdin.off('data', drop);
    stdin.pause();
    stdin.setRawMode?.(false);
  }
}
