import { isRecord } from '@errand/wire';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** JSON with the keys of every object in order, so that equal values are equal texts. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** A hash of a value, the same for equal values. */
export function hashJson(value: unknown): string {
  return bytesToHex(sha256(utf8ToBytes(sortedJson(value))));
}
