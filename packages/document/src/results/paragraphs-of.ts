import type { Fence } from '../scan/note-scan.ts';

/** Lines outside of fences with no blank line between them: whatever reads them, no inline construct is longer. */
export interface Paragraphs {
  readonly from: number;
  readonly to: number;
}

/** The stretches of a text between fences and blank lines, in order. */
export function paragraphsOf(text: string, fences: readonly Fence[]): readonly Paragraphs[] {
  const found: Paragraphs[] = [];
  let from = 0;
  for (const fence of [...fences, null]) {
    const to = fence?.from ?? text.length;
    let at = from;
    for (const { index, 0: gap } of text.slice(from, to).matchAll(blankLines)) {
      found.push({ from: at, to: from + index });
      at = from + index + gap.length;
    }
    found.push({ from: at, to });
    from = fence?.to ?? text.length;
  }
  return found.filter(({ from: start, to }) => start < to);
}

/** A blank line of a quote has its marker. */
const blankLines = /\n(?:[ \t>]*\n)+/g;
