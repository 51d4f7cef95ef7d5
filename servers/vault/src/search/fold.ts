/** A text in the form in which it is compared: composed letters, so that `é` is always one letter. */
export function composed(text: string): string {
  return text.normalize('NFC');
}

/**
 * A composed text without the difference between large and small letters; accents stay. The result
 * has the same length, letter by letter, so that a place in it is a place in the text.
 */
export function fold(text: string): string {
  // İ would become two letters; ς is a σ that ends a word, and a search does not care where it ends.
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
}
