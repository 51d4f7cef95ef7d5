/**
 * A stranger's text on one line, for a person who decides by it: line breaks and whatever else hides, moves
 * or turns letters around is spelled out. What is longer than `most` is cut, and says so.
 */
export function oneLine(text: string, most: number = Number.POSITIVE_INFINITY): string {
  const isCut = text.length > most;
  const shown = isCut ? text.slice(0, most).toWellFormed() : text;
  return shown.replace(deceptive, spell) + (isCut ? '…' : '');
}

/** The same for each line of a longer text. */
export function foreignLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => oneLine(line));
}

/** The name of a tool or a field; in quotes when it is not of the letters that names are made of. */
export function foreignName(name: string): string {
  return /^[\w./-]{1,128}$/.test(name) ? name : `"${oneLine(name, 128).replaceAll('"', '\\"')}"`;
}

// The joiners inside of emoji stay.
const deceptive =
  /(?!(?<=\p{Extended_Pictographic})\ufe0f|(?<=\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

const usual: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function spell(character: string): string {
  return usual[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
