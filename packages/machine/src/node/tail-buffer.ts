/** Keeps the last bytes of a stream of any length in a fixed amount of memory. */
export class TailBuffer {
  readonly #ring: Buffer;
  #end = 0;
  #isFull = false;

  constructor(capacity: number) {
    this.#ring = Buffer.alloc(capacity);
  }

  push(chunk: Buffer): void {
    const capacity = this.#ring.length;
    const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
    const beforeWrap = Math.min(kept.length, capacity - this.#end);
    kept.copy(this.#ring, this.#end, 0, beforeWrap);
    kept.copy(this.#ring, 0, beforeWrap);
    this.#isFull ||= this.#end + kept.length >= capacity;
    this.#end = (this.#end + kept.length) % capacity;
  }

  /** What is kept, as text; a first line that lost its beginning is left out. */
  text(): string {
    if (!this.#isFull) return this.#ring.toString('utf8', 0, this.#end);
    const text = Buffer.concat([
      this.#ring.subarray(this.#end),
      this.#ring.subarray(0, this.#end),
    ]).toString('utf8');
    const firstBreak = text.indexOf('\n');
    return firstBreak === -1 || firstBreak === text.length - 1 ? text : text.slice(firstBreak + 1);
  }
}
