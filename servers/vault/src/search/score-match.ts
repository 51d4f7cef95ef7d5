import { foldedName } from './fold.ts';

/** How well a note with these folded texts fits the words: title, whole words, how often, how short. */
export function scoreMatch(
  path: string,
  folded: readonly string[],
  words: readonly string[],
): number {
  const name = foldedName(path);
  const length = folded.reduce((sum, part) => sum + part.length, 0);
  let score = -Math.log2(1 + length / 1000) / 2;
  for (const word of words) {
    const { count, whole } = occurrences(folded, word);
    score += Math.log2(1 + count) + (whole ? 2 : 0) + (name.includes(word) ? 4 : 0);
  }
  return name === words.join(' ') ? score + 8 : score;
}

const enough = 16;

function occurrences(folded: readonly string[], word: string) {
  let count = 0;
  let whole = false;
  for (const text of folded) {
    for (let at = text.indexOf(word); at >= 0 && count < enough; ) {
      count++;
      const end = at + word.length;
      whole ||= !isLetter(text[at - 1]) && !isLetter(text[end]);
      at = text.indexOf(word, end);
    }
  }
  return { count, whole };
}

function isLetter(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
}
