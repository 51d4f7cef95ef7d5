import { splitNote } from '@errand/document/frontmatter';
import { bodyWithoutResults } from '../note/body-without-results.ts';
import { composed, fold } from './fold.ts';
import { scoreMatch } from './score-match.ts';
import { searchableTexts } from './searchable-text.ts';
import { snippetAround } from './snippet-around.ts';

export interface NoteHit {
  readonly snippet: string;
  /** How well the note fits; only the order of scores means anything. */
  readonly score: number;
}

/** Whether every word occurs somewhere in a note, and if so where and how well. */
export function matchNote(
  path: string,
  text: string,
  words: readonly string[],
): NoteHit | undefined {
  const { yaml, bodyStart } = splitNote(text);
  const body = composed(bodyWithoutResults(text, bodyStart));
  const foldedBody = fold(body);
  const elsewhere = words.filter((word) => !foldedBody.includes(word));
  if (elsewhere.length === 0) return hitOf(path, [body], [foldedBody], words);
  if (yaml === undefined || !mayHoldAll(text.slice(...yaml), elsewhere)) return undefined;
  const texts = searchableTexts(text);
  const folded = texts.map(fold);
  if (!words.every((word) => folded.some((part) => part.includes(word)))) return undefined;
  return hitOf(path, texts, folded, words);
}

/**
 * Whether the values of some YAML could contain the words, judged without the cost of parsing it.
 * Only escapes, doubled quotes, folded lines and combining marks make a value differ from its source.
 */
function mayHoldAll(yaml: string, words: readonly string[]): boolean {
  if (/\\|\p{M}/u.test(yaml)) return true;
  const folded = fold(composed(yaml));
  return words.every(
    (word) => /'|---/.test(word) || word.split(/\s+/).every((part) => folded.includes(part)),
  );
}

function hitOf(
  path: string,
  texts: readonly string[],
  folded: readonly string[],
  words: readonly string[],
): NoteHit {
  return { snippet: snippetOf(texts, folded, words), score: scoreMatch(path, folded, words) };
}

/** From the body if it can be, since the frontmatter is short and known. */
function snippetOf(texts: readonly string[], folded: readonly string[], words: readonly string[]) {
  for (let index = texts.length - 1; index >= 0; index--) {
    for (const word of words) {
      const at = folded[index]?.indexOf(word) ?? -1;
      if (at >= 0) return snippetAround(texts[index] ?? '', at, word.length);
    }
  }
  return '';
}
