const shownAtFirst = 1_200;
const linesAtFirst = 40;

/** The part of a long text that is shown. */
interface FoldedText {
  readonly shown: string;
  /** How much is left, in words; nothing when all of it is shown. */
  readonly left: string | undefined;
  /** Whether all of it would have been shown at first. */
  readonly isShort: boolean;
}

/** Folds a long text. It is opened in steps, each eight times as long, so that the page stays quick. */
export function foldText(text: string, steps: number): FoldedText {
  const first = firstPart(text);
  const end = Math.min(text.length, first * 8 ** steps);
  return {
    shown: text.slice(0, end),
    left: end < text.length ? size(text.length - end) : undefined,
    isShort: first === text.length,
  };
}

function firstPart(text: string): number {
  let end = -1;
  for (let line = 0; line < linesAtFirst; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return text.length <= shownAtFirst * 2 ? text.length : shownAtFirst;
    if (end > shownAtFirst) return shownAtFirst;
  }
  // Nobody wants to press a button for a few lines.
  return text.length - end <= 400 ? text.length : end;
}

/** `12 KB`, `9.8 MB`. */
function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} characters`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
