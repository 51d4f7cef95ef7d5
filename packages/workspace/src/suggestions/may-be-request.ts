/** Quote marks, list marks and indents. */
const container = '^(?:[ \\t>]|(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*';
const opening = new RegExp(`${container}(?:\`{3,}|~{3,})[ \\t]*([\\w-]*)$`);
const fence = new RegExp(`${container}(?:\`{3,}|~{3,})[ \\t]*([^\\s\`]*)`);
const entry = /^[ \t>]*(?:[\w.-]*$|[^:]{1,100}:)/;
/** How many lines are searched upward; requests are shorter, other blocks may not be. */
const farthest = 200;

/**
 * A cheap filter for every key press: false when no request can be at the cursor, true when the note has to
 * be scanned to know. Lines are counted from 0.
 */
export function mayBeRequest(
  lineAt: (line: number) => string,
  cursor: { readonly line: number; readonly ch: number },
  isLanguage: (word: string) => boolean,
): boolean {
  const before = lineAt(cursor.line).slice(0, cursor.ch);
  if (opening.test(before)) return true;
  if (!entry.test(before)) return false;
  for (let line = cursor.line - 1; line >= Math.max(0, cursor.line - farthest); line -= 1) {
    const [, language] = fence.exec(lineAt(line)) ?? [];
    if (language !== undefined) return isLanguage(language);
  }
  return false;
}
