import { createHash } from 'node:crypto';

const longest = 128;
const safe = /^[A-Za-z0-9_.-]{1,128}$/;
const unsafeCharacters = /[^A-Za-z0-9_.-]+/g;

/** Whether clients that hold tool names to the specification's rule take this one. */
export function isSafeName(name: string): boolean {
  return safe.test(name);
}

/**
 * A name for a tool whose own is not safe: what can be kept of it, and a digest that makes it the same every
 * time and different from those of other tools. `taken` are the names that it must not be.
 */
export function safeName(name: string, taken: { has(name: string): boolean }): string {
  const digest = createHash('sha256').update(name).digest('hex');
  const readable = name.replace(unsafeCharacters, '_');
  let safest = '';
  // A name that somebody made up to collide with this one is avoided by more of the digest.
  for (let digits = 8; digits <= digest.length; digits *= 2) {
    const suffix = `_${digest.slice(0, digits)}`;
    safest = readable.slice(0, longest - suffix.length) + suffix;
    if (!taken.has(safest)) break;
  }
  return safest;
}
