import { VaultError } from '../vault-error.ts';
import { composed, fold } from './fold.ts';

const maximumWords = 50;

/** The words of a query, folded; what stands in quotes is one word, spaces and all. */
export function parseQuery(query: string): string[] {
  const parts = query.toWellFormed().match(/"[^"]*"|[^\s"]+|"/g) ?? [];
  const words = parts
    .map((part) => (/^".*"$/s.test(part) ? part.slice(1, -1) : part))
    .filter((word) => word.trim() !== '')
    .map((word) => fold(composed(word)));
  if (words.length === 0) {
    throw new VaultError('invalid_input', 'The query is empty. Give a word to look for.');
  }
  if (words.length > maximumWords) {
    throw new VaultError(
      'invalid_input',
      `The query has ${words.length} words; ${maximumWords} are allowed. Put a phrase in quotes.`,
    );
  }
  return [...new Set(words)];
}
