import { addAbortListener } from 'node:events';
import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/**
 * What another program or a file hands over on standard input. When there is a question already, only
 * a pipe or a file is waited for: whoever starts us may have left the input open for nothing.
 */
export async function pipedInput(
  { stdin }: Pick<Terminal, 'stdin'>,
  hasQuestion: boolean,
  signal: AbortSignal,
): Promise<string> {
  if (stdin.isTTY || (hasQuestion && !isHandedOver(stdin))) return '';
  return (await readAll(stdin, signal)).trim();
}

/** The whole of an input as text; a part of it is nothing when the signal fires meanwhile. */
export async function readAll(input: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  signal.throwIfAborted();
  using _listening = addAbortListener(signal, () => input.destroy());
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  signal.throwIfAborted();
  return Buffer.concat(chunks).toString('utf8');
}

function isHandedOver(stdin: Terminal['stdin'] & { readonly fd?: number }): boolean {
  try {
    const state = fstatSync(stdin.fd ?? 0);
    return state.isFIFO() || state.isFile();
  } catch {
    return false;
  }
}
