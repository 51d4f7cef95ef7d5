import { createHash } from 'node:crypto';

/** Stands for a text: what is based on one names it by this. */
export function etagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
