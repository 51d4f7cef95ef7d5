import { Writable } from 'node:stream';
import { discardTypeahead } from './discard-typeahead.ts';
import { readAll } from './piped-input.ts';
import type { Terminal } from './terminal.ts';

export interface LineOptions {
  /** Where typed characters are echoed; standard error by default. */
  readonly output?: Writable;
  /** Whether keys pressed before the prompt appeared may be part of the answer. */
  readonly mayBeTypedAhead?: boolean;
}

/** Reads a line at a prompt; undefined when the input ends (Ctrl-D). */
export async function askLine(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
  { output = terminal.stderr, mayBeTypedAhead = true }: LineOptions = {},
): Promise<string | undefined> {
  const { stdin, stderr, interrupt } = terminal;
  const isShown = output === stderr;
  const { createInterface } = await import('node:readline/promises');
  if (!mayBeTypedAhead) await discardTypeahead(terminal);
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY === true });
  // Only now: until the interface exists, the terminal itself echoes.
  if (!isShown) stderr.write(question);
  // While a line is edited the terminal hands Ctrl-C over as a key.
  lines.on('SIGINT', interrupt);
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(isShown ? question : '', { signal }), ended]);
  } finally {
    lines.close();
  }
}

/** Asks a yes/no question whose default is no; ignores keys pressed before the prompt appeared. */
export async function confirm(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, terminal, signal, { mayBeTypedAhead: false });
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}

/** Asks a yes/no question whose default is yes, for what also happens without a terminal. */
export async function confirmUnlessNo(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await askLine(`${question} [Y/n] `, terminal, signal, { mayBeTypedAhead: false });
  return !/^no?$/i.test(answer?.trim() ?? '');
}

/** Reads a secret: without echo from a terminal, or everything that is piped in. */
export async function askSecret(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string> {
  const { stdin } = terminal;
  if (!stdin.isTTY) {
    return (await readAll(stdin, signal)).replace(/\r?\n$/, '');
  }
  return (await askHidden(question, terminal, signal)) ?? '';
}

/** Reads a line without echoing it; undefined when the input ends. */
export async function askHidden(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await askLine(question, terminal, signal, { output: nowhere });
  } finally {
    terminal.stderr.write('\n');
  }
}
