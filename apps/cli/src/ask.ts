import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';

/** Asks a question on the terminal that only a clear yes answers with true. */
export async function askYes(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal })).trim());
  } finally {
    lines.close();
  }
}

/** Reads something secret: without showing it from a terminal, or all that is piped in. */
export async function askSecret(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal,
): Promise<string> {
  if (!stdin.isTTY) {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  }
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await lines.question('', { signal });
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
