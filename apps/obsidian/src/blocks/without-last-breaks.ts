/** A block's text without the line ends behind it, of which Obsidian passes on some. */
export function withoutLastBreaks(text: string): string {
  let end = text.length;
  // No regular expression: it would look at every run of empty lines again and again.
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
