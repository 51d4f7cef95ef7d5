/** The most characters a snippet may have. */
export const maximumSnippet = 200;

/** The text around an offset, on one line, with dots where it was cut. */
export function snippetAround(text: string, at: number, length: number): string {
  const shown = Math.min(length, maximumSnippet / 2);
  const before = oneLine(text.slice(Math.max(0, at - maximumSnippet), at)).trimStart();
  const match = oneLine(text.slice(at, at + shown));
  const after = oneLine(text.slice(at + shown, at + shown + maximumSnippet)).trimEnd();

  const room = maximumSnippet - match.length - 2;
  const lead =
    before.length + after.length <= room ? before : lastPart(before, Math.floor(room / 3));
  const tail = after.slice(0, room - lead.length);
  const isCutBefore = lead.length < before.length || at > maximumSnippet;
  const isCutAfter = tail.length < after.length || at + shown + maximumSnippet < text.length;
  return `${isCutBefore ? '…' : ''}${lead}${match}${tail}${isCutAfter ? '…' : ''}`.toWellFormed();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function lastPart(text: string, length: number): string {
  return length <= 0 ? '' : text.slice(-length);
}
