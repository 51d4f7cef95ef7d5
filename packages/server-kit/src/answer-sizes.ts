/** What a call needs besides its answer, in bytes. */
const least = 256 * 1024;
/** An answer is there as a value, as text, as text inside of a message, and as the bytes that are sent. */
const copies = 6;
/** How much of an old size is kept when answers get smaller. */
const fading = 0.9;

/** Remembers how large the answers of each tool are, to know what the next call may need. */
export class AnswerSizes {
  readonly #sizes = new Map<string, number>();

  /** The bytes that a call of a tool will need, by what its calls needed before. */
  expected(tool: string): number {
    return least + (this.#sizes.get(tool) ?? 0) * copies;
  }

  learn(tool: string, bytes: number): void {
    this.#sizes.set(tool, Math.max(bytes, (this.#sizes.get(tool) ?? 0) * fading));
  }
}
