/** Pieces of at least this size are kept as they are; smaller ones are copied into blocks of this size. */
const blockBytes = 16 * 1024;

/**
 * Collects bytes that arrive in pieces. Small pieces are copied: a list of very many of them would take a
 * hundred times their size, and each would keep the whole block alive that it was read into.
 */
export class GrowingBuffer {
  #parts: Buffer[] = [];
  /** What is left of the block that small pieces are copied into. */
  #block: Buffer | undefined;
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  append(piece: Buffer): void {
    this.#size += piece.length;
    if (this.#size === piece.length || piece.length >= blockBytes) {
      this.#endPart();
      this.#parts.push(piece);
      return;
    }
    for (let copied = 0; copied < piece.length; ) {
      this.#block ??= Buffer.allocUnsafe(blockBytes);
      const count = piece.copy(this.#block, this.#used, copied);
      this.#used += count;
      copied += count;
      if (this.#used === this.#block.length) this.#endPart();
    }
  }

  /** Returns everything appended so far and starts anew; what came in one piece is not copied. */
  take(): Buffer {
    this.#endPart();
    const [first] = this.#parts;
    const isWhole = this.#parts.length === 1 && first !== undefined;
    const taken = isWhole ? first : Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#block = undefined;
    this.#size = 0;
    return taken;
  }

  #endPart(): void {
    const block = this.#block;
    if (block === undefined || this.#used === 0) return;
    this.#parts.push(block.subarray(0, this.#used));
    this.#block = this.#used < block.length ? block.subarray(this.#used) : undefined;
    this.#used = 0;
  }
}
