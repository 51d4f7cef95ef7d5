/** A word of a command as a person may read it: in quotes where it would look like several. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./~${}-]+$/.test(word) ? word : JSON.stringify(word);
}
