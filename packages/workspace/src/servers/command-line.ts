/**
 * The words of a command line; undefined when a quote is not closed. Quotes keep words together; a backslash keeps
 * a quote, a space or itself.
 */
export function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    const next = line[at + 1] ?? '';
    if (character === '\\' && quote !== "'" && /["'\\\s]/.test(next)) {
      word = (word ?? '') + next;
      at += 1;
    } else if (quote === '' && /["']/.test(character)) {
      quote = character;
      word ??= '';
    } else if (character === quote) quote = '';
    else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}

/** A command line that splits into these words. */
export function joinCommand(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (/^[^\s"'\\]+$/.test(word)) return word;
  return `"${word.replace(/["\\]/g, '\\$&')}"`;
}
