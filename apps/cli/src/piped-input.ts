import { fstatSync } from 'node:fs';
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
  const chunks: Buffer[] = [];
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks).toString('utf8').trim();
}

function isHandedOver(stdin: Terminal['stdin'] & { readonly fd?: number }): boolean {
  try {
    const state = fstatSync(stdin.fd ?? 0);
    return state.isFIFO() || state.isFile();
  } catch {
    return false;
  }
}
