/** How many different grams the index tells apart; what falls together is told apart by reading. */
const bits = 18;
const longest = 3;
const digits = Buffer.from('0123456789abcdefghijklmnopqrstuv');
const nameLength = 4;

/**
 * Turns folded texts into words for a full-text index: every run of one, two or three UTF-16 units,
 * each kind once. A text contains a word only if its grams contain the word's. SQLite's own trigrams
 * would find nothing shorter than three letters, and fold case by other rules than ours.
 */
export class GramReader {
  readonly #lastSeen = new Uint32Array(1 << bits);
  // Each gram at most once, so this is always enough.
  readonly #names = Buffer.allocUnsafe((1 << bits) * (nameLength + 1));
  #round = 0;
  #length = 0;

  /** The grams of the texts, each followed by a space. */
  read(texts: readonly string[]): string {
    this.#round++;
    this.#length = 0;
    for (const text of texts) this.#collect(text);
    return this.#names.toString('latin1', 0, this.#length);
  }

  #collect(text: string): void {
    let before = 0;
    let previous = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      this.#add(gramOf(1, unit, 0, 0));
      if (at > 0) this.#add(gramOf(2, previous, unit, 0));
      if (at > 1) this.#add(gramOf(3, before, previous, unit));
      before = previous;
      previous = unit;
    }
  }

  #add(gram: number): void {
    if (this.#lastSeen[gram] === this.#round) return;
    this.#lastSeen[gram] = this.#round;
    writeName(gram, this.#names, this.#length);
    this.#length += nameLength;
    this.#names[this.#length++] = 0x20;
  }
}

/** The grams a text must have to contain a word: its longest ones, which imply the shorter. */
export function gramsOfWord(word: string): string[] {
  const size = Math.min(longest, word.length);
  const found = new Set<string>();
  for (let at = 0; at + size <= word.length; at++) {
    const [first, second, third] = [0, 1, 2].map((place) => word.charCodeAt(at + place));
    const name = Buffer.alloc(nameLength);
    writeName(gramOf(size, first ?? 0, second ?? 0, third ?? 0), name, 0);
    found.add(name.toString('latin1'));
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

function writeName(gram: number, into: Buffer, at: number): void {
  into[at] = digits[(gram >>> 15) & 31] ?? 0;
  into[at + 1] = digits[(gram >>> 10) & 31] ?? 0;
  into[at + 2] = digits[(gram >>> 5) & 31] ?? 0;
  into[at + 3] = digits[gram & 31] ?? 0;
}
