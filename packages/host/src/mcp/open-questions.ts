type Id = string | number;

/** How many requests of one server may be open at once. */
export const mostQuestions = 1000;

/** How many bytes they may have together. */
const mostBytes = 64 * 1024 * 1024;

/** The requests of a server that wait for our answer, or for the server to read it. */
export class OpenQuestions {
  readonly #bytes = new Map<Id, number>();
  #total = 0;

  /** Takes one more request; says why not when there is no room for it, or when one with its id is open. */
  open(id: Id, bytes: number): 'repeated' | 'too many' | undefined {
    if (this.#bytes.has(id)) return 'repeated';
    const isFull = this.#bytes.size >= mostQuestions || this.#total + bytes > mostBytes;
    // The first one may be of any size that a message may have.
    if (isFull && this.#bytes.size > 0) return 'too many';
    this.#bytes.set(id, bytes);
    this.#total += bytes;
    return undefined;
  }

  /** It was answered and the server has the answer, or it does not want one any more. */
  close(id: Id): void {
    this.#total -= this.#bytes.get(id) ?? 0;
    this.#bytes.delete(id);
  }
}
