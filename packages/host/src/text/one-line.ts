import { escapeControls } from '@errand/document/display';

/**
 * A stranger's text on one line, for a person who decides by it: line breaks and whatever else hides, moves
 * or turns letters around is spelled out. What is longer than `most` is cut, and says so.
 */
export function oneLine(text: string, most: number = Number.POSITIVE_INFINITY): string {
  const isCut = text.length > most;
  const shown = isCut ? text.slice(0, most).toWellFormed() : text;
  const unbroken = shown.replace(/[\n\r\t]/g, (end) => usual[end] ?? end);
  return escapeControls(unbroken) + (isCut ? '…' : '');
}

/** The same for each line of a longer text. */
export function foreignLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => oneLine(line));
}

/** The name of a tool or a field; in quotes when it is not of the letters that names are made of. */
export function foreignName(name: string): string {
  return /^[\w./-]{1,128}$/.test(name) ? name : quoted(name);
}

/** A stranger's name inside a sentence of ours: in quotes that it cannot close, and not long enough to fill lines. */
export function quoted(name: string): string {
  return `"${oneLine(name, 128).replaceAll('"', '\\"')}"`;
}

const usual: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
