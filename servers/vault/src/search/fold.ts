/** A text in the form in which it is compared: composed letters, so that `é` is always one letter. */
export function composed(text: string): string {
  // Composing begins with the combining marks at U+0300; below it there is nothing to do.
  return /[^\0-\u02ff]/.test(text) ? text.normalize('NFC') : text;
}

/**
 * A composed text without the difference between large and small letters; accents stay. The result
 * has the same length, letter by letter, so that a place in it is a place in the text.
 */
export function fold(text: string): string {
  // İ would become two letters; ς is a σ that ends a word, and a search does not care where it ends.
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}

/** A note's name, without folders and `.md`, as it is compared with the words of a query. */
export function foldedName(path: string): string {
  return fold(composed(path.slice(path.lastIndexOf('/') + 1, -'.md'.length)));
}
