import type { ErrorInfo } from '../tool-invocation.ts';

const maxLines = 20;
const maxCharacters = 4_000;

/** The last lines that a failed call's server wrote, few enough to be shown with the failure; empty when it wrote none. */
export function lastOutputOf({ facts }: Pick<ErrorInfo, 'facts'>): string {
  const lines = facts?.lastOutput?.trim().split('\n').slice(-maxLines).join('\n') ?? '';
  return lines.slice(-maxCharacters).toWellFormed();
}

/** What happened in a failed call, with what its server wrote last. */
export function failureText(error: Pick<ErrorInfo, 'message' | 'facts'>): string {
  const lastOutput = lastOutputOf(error);
  if (lastOutput === '') return error.message;
  return `${error.message}\n\nLast output of the server:\n${lastOutput}`;
}
