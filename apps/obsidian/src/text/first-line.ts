/** A single line of a server can have any length. */
const most = 300;

/** Shortens a text to one line. */
export function firstLine(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.length <= most ? first : `${first.slice(0, most).toWellFormed()} …`;
}
