import type { RequestId } from '@modelcontextprotocol/server';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const opening: readonly number[] = [0x7b, 0x5b];
const closing: readonly number[] = [0x7d, 0x5d];
/** Longer ids are nobody's; the rest of the message must not be kept in memory. */
const longest = 256;

/**
 * Finds the `id` of a message that is too large to keep, byte by byte as it passes, so that its
 * sender can be told. Only the outermost object counts: an `id` among the arguments is not it.
 */
export class TopLevelId {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isKey = true;
  #token: number[] = [];
  #key = '';
  #found: RequestId | undefined;

  get found(): RequestId | undefined {
    return this.#found;
  }

  scan(bytes: Uint8Array): void {
    for (const byte of bytes) this.#step(byte);
  }

  #step(byte: number): void {
    if (this.#isInString) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
    } else if (byte === quote) {
      this.#isInString = true;
      this.#keep(byte);
    } else if (opening.includes(byte)) {
      this.#depth += 1;
      this.#token = [];
    } else if (closing.includes(byte) || byte === comma) {
      if (this.#depth === 1) this.#endOfMember();
      if (byte !== comma) this.#depth -= 1;
    } else if (byte === colon && this.#depth === 1) {
      this.#key = this.#text();
      this.#isKey = false;
      this.#token = [];
    } else this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length <= longest) this.#token.push(byte);
  }

  #endOfMember(): void {
    if (!this.#isKey && this.#key === '"id"') this.#found = asRequestId(this.#text());
    this.#isKey = true;
    this.#token = [];
  }

  #text(): string {
    return Buffer.from(this.#token).toString('utf8').trim();
  }
}

function asRequestId(text: string): RequestId | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
    return Number.isSafeInteger(value) ? (value as number) : undefined;
  } catch {
    return undefined;
  }
}
