import type { Readable } from 'node:stream';
import type { HostError } from '@errand/host';

/** The whole of a body as text; more than the limit rejects with the given error. */
export async function readText(
  body: Readable,
  limit: number,
  tooLarge: (bytes: number) => HostError,
) {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > limit) throw tooLarge(bytes);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
