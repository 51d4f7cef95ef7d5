/** A server may say anything, on one line. */
const most = 300;

/** What is shown of a text where there is room for a line. */
export function firstLine(text: string): string {
  const [first = ''] = text.split('\n', 1);
  return first.length <= most ? first : `${first.slice(0, most).toWellFormed()} …`;
}
