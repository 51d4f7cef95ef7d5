import { Writable } from 'node:stream';
import { discardTypeahead } from './discard-typeahead.ts';
import { readAll } from './piped-input.ts';
import type { Terminal } from './terminal.ts';

export interface LineOptions {
  /** Where what is typed is shown; standard error unless told otherwise. */
  readonly output?: Writable;
  /** Whether what was typed before the question was there may be part of the answer. */
  readonly mayBeTypedAhead?: boolean;
}

/** A line that a person types after a question; nothing when they end the input (Ctrl-D) instead. */
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
  // Not earlier: until now, the terminal itself shows what is typed.
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

/** Asks a question that only a clear yes answers with true; one typed before it was asked is none. */
export async function confirm(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, terminal, signal, { mayBeTypedAhead: false });
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}

/** Asks a question that only a clear no answers with false, for what is done where nobody is asked. */
export async function confirmUnlessNo(
  question: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await askLine(`${question} [Y/n] `, terminal, signal, { mayBeTypedAhead: false });
  return !/^no?$/i.test(answer?.trim() ?? '');
}

/** Reads something secret: without showing it from a terminal, or all that is piped in. */
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

/** A line that a person types without its being shown; nothing when they end the input instead. */
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
