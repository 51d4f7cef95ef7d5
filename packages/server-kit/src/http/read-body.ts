import type { IncomingMessage } from 'node:http';
import { GrowingBuffer } from '../growing-buffer.ts';

export type Body =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'aborted' };

/** Reads a request's body up to a limit; what is over it is left unread. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' };
  const body = new GrowingBuffer();
  const { promise, resolve } = Promise.withResolvers<Body>();
  request.on('data', (chunk: Buffer) => {
    if (body.size + chunk.length <= limit) body.append(chunk);
    else {
      request.pause();
      resolve({ kind: 'too-large' });
    }
  });
  request.once('end', () => resolve({ kind: 'read', bytes: body.take() }));
  request.once('error', () => resolve({ kind: 'aborted' }));
  request.once('close', () => resolve({ kind: 'aborted' }));
  return promise;
}
