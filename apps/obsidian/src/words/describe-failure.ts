import type { ErrorInfo, Notice } from '@errand/host';
import { inObsidianWords } from './in-obsidian-words.ts';

/**
 * What a person is told at once about a call that could not be made as it should, and what to do next; nothing
 * for failures that stand where the call was made.
 */
export function describeFailure({
  code,
  message,
}: Pick<ErrorInfo, 'code' | 'message'>): Notice | undefined {
  const told = toldAtOnce[code];
  if (told === undefined) return undefined;
  const whole = inObsidianWords(message);
  const found = told.text.exec(whole);
  const text = found?.[0] ?? whole;
  const rest = found === null ? '' : whole.slice(text.length).replace(/^\.?\s*/, '');
  const detail = [rest, told.next ?? ''].filter((part) => part !== '').join(' ');
  return { level: told.level ?? 'error', message: text, ...(detail !== '' && { detail }) };
}

/** The words that people know, and the next step where the message has none. */
const toldAtOnce: Readonly<
  Partial<
    Record<
      ErrorInfo['code'],
      { readonly text: RegExp; readonly next?: string; readonly level?: Notice['level'] }
    >
  >
> = {
  port_in_use: { text: /^Port \d+ is already in use/ },
  server_disabled: { text: /^Server \S+ is disabled/ },
  session_limit: { text: /^Session execution limit reached \(\d+\)/ },
  stopped: {
    text: /^Execution stopped by user/,
    next: 'Nothing runs until you run the command “Errand: Resume executions”.',
    level: 'warning',
  },
  timeout: {
    text: /^Execution timeout after \d+ ms/,
    next: 'The server was told to stop. Run the block again, or allow more time: with timeout=60s in the first line of the block, or in the settings of Errand.',
  },
  tool_not_found: {
    text: /^Tool not found: .+?(?=\. |$)/s,
    next: 'Correct the tool in the block.',
  },
};
