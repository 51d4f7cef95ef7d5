/** How many different grams the index tells apart; what falls together is told apart by reading. */
const bits = 18;
const longest = 3;

/**
 * Turns folded texts into words for a full-text index: every run of one, two or three UTF-16 units,
 * each kind once. A text contains a word only if its grams contain the word's.
 */
export class GramReader {
  readonly #names: string[] = [];
  readonly #lastSeen = new Uint32Array(1 << bits);
  #round = 0;

  /** The grams of the texts, separated by spaces, each with the prefix before it. */
  read(texts: readonly string[], prefix = ''): string {
    this.#round++;
    const found: string[] = [];
    for (const text of texts) this.#collect(text, found);
    return prefix === '' ? found.join(' ') : found.map((gram) => prefix + gram).join(' ');
  }

  #collect(text: string, found: string[]): void {
    let before = 0;
    let previous = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      this.#add(gramOf(1, unit, 0, 0), found);
      if (at > 0) this.#add(gramOf(2, previous, unit, 0), found);
      if (at > 1) this.#add(gramOf(3, before, previous, unit), found);
      before = previous;
      previous = unit;
    }
  }

  #add(gram: number, found: string[]): void {
    if (this.#lastSeen[gram] === this.#round) return;
    this.#lastSeen[gram] = this.#round;
    this.#names[gram] ??= nameOf(gram);
    found.push(this.#names[gram]);
  }
}

/** The grams a text must have to contain a word: its longest ones, which imply the shorter. */
export function gramsOfWord(word: string, prefix = ''): string[] {
  const size = Math.min(longest, word.length);
  const found = new Set<string>();
  for (let at = 0; at + size <= word.length; at++) {
    const [first, second, third] = [0, 1, 2].map((place) => word.charCodeAt(at + place));
    found.add(prefix + nameOf(gramOf(size, first ?? 0, second ?? 0, third ?? 0)));
  }
  return [...found];
}

function gramOf(size: number, first: number, second: number, third: number): number {
  let mixed = Math.imul(first, 0x9e3779b1) + size;
  if (size > 1) mixed += Math.imul(second, 0x7feb352d);
  if (size > 2) mixed += Math.imul(third, 0x846ca68b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> (32 - bits);
}

function nameOf(gram: number): string {
  return gram.toString(36);
}
