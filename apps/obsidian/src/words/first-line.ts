import { inObsidianWords } from './in-obsidian-words.ts';

/** A server may say anything, on one line. */
const most = 300;

/** What is shown of a message where there is room for a line. */
export function firstLine(message: string): string {
  const [first = ''] = inObsidianWords(message).split('\n', 1);
  return first.length <= most ? first : `${first.slice(0, most).toWellFormed()} …`;
}
