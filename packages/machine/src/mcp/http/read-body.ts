import type { Readable } from 'node:stream';
import type { HostError } from '@errand/host';
import { readBody } from '@errand/wire/node';

/** The whole of an answer's body as text; more than the limit rejects with the given error. */
export async function readText(
  body: Readable,
  limit: number,
  tooLarge: (bytes: number) => HostError,
): Promise<string> {
  const read = await readBody(body, limit);
  if (read.kind === 'read') return read.bytes.toString('utf8');
  body.destroy();
  throw read.kind === 'too-large' ? tooLarge(read.bytes) : read.error;
}
