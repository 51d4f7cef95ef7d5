import type { Readable } from 'node:stream';
import { GrowingBuffer } from './growing-buffer.ts';

type Body =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  /** With the bytes that had come, or were announced, when it was given up; the rest is left unread. */
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'aborted'; readonly error: Error };

/** Reads a whole body, but no more of it than the limit in bytes; `announced` is its Content-Length. */
export function readBody(body: Readable, limit: number, announced?: string): Promise<Body> {
  const announcedBytes = Number(announced ?? 0);
  if (announcedBytes > limit) return Promise.resolve({ kind: 'too-large', bytes: announcedBytes });
  return new Promise((resolve) => {
    const held = new GrowingBuffer();
    const onClose = () =>
      resolve({ kind: 'aborted', error: body.errored ?? new Error('The body broke off.') });
    if (body.destroyed) return onClose();
    body.on('data', (chunk: Buffer) => {
      const bytes = held.size + chunk.length;
      if (bytes <= limit) return held.append(chunk);
      body.pause();
      resolve({ kind: 'too-large', bytes });
    });
    body.once('end', () => {
      body.off('close', onClose);
      resolve({ kind: 'read', bytes: held.take() });
    });
    body.once('error', (error) => resolve({ kind: 'aborted', error }));
    body.once('close', onClose);
  });
}
