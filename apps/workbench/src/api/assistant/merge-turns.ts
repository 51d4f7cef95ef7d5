import type { Turn } from '../../contract.ts';

/**
 * A conversation as its note has it, with what is remembered of its turns: what they cost, and how they
 * ended. A last turn that did not end well is told even where the note has no word of it.
 */
export function mergeTurns(written: readonly Turn[], remembered: readonly Turn[]): readonly Turn[] {
  const last = remembered.at(-1);
  let left = remembered;
  const merged = written
    .toReversed()
    .map((turn) => {
      const index = left.findLastIndex(({ question }) => question === turn.question);
      const found = left[index];
      if (found === undefined) return turn;
      left = left.slice(0, index);
      return found;
    })
    .toReversed();
  const isShown = last === undefined || last.end?.state === 'answered' || merged.includes(last);
  return isShown ? merged : [...merged, last];
}
