/** A text with one typo in it. */
interface Typo {
  /** What was done, and where. */
  readonly name: string;
  readonly text: string;
}

/** One character of each kind that means something somewhere, and one that nobody sees. */
const typed = [...'a1 \n\t#:-?,[{}]&*!|\'"%@`\\', '\u200B'];

/**
 * Every text that one typo between two offsets makes of a text: a character left out, put in or replaced, two
 * neighbours swapped, a line indented otherwise.
 */
export function* typosOf(text: string, from: number, to: number): Generator<Typo> {
  const at = (name: string, start: number, end: number, put: string): Typo => ({
    name: `${name} ${JSON.stringify(put)} at ${start}`,
    text: text.slice(0, start) + put + text.slice(end),
  });
  for (let index = from; index < to; index += 1) {
    yield at('left out', index, index + 1, '');
    for (const character of typed) {
      yield at('put in', index, index, character);
      if (character !== text[index]) yield at('replaced by', index, index + 1, character);
    }
    const pair = text.slice(index, index + 2);
    if (index + 1 < to && pair[0] !== pair[1]) {
      yield at('swapped to', index, index + 2, `${pair[1]}${pair[0]}`);
    }
  }
  for (const line of text.slice(from, to).matchAll(/^[ \t]*/gm)) {
    const start = from + line.index;
    for (let width = 0; width <= line[0].length + 4; width += 1) {
      if (width !== line[0].length) {
        yield at('indented', start, start + line[0].length, ' '.repeat(width));
      }
    }
    yield at('indented', start, start + line[0].length, '\t');
  }
}
