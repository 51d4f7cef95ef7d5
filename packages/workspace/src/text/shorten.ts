/** Cuts a text after so many characters, and marks the cut. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()} …`;
}

/** Shortens a text to one line, because a stranger's text can have any length. */
export function firstLine(text: string, most = 300): string {
  const [first = ''] = text.split('\n', 1);
  return shorten(first, most);
}
