import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { ApiError } from '../http/api-error.ts';

/** What a browser may show; everything else is saved instead. None of these can run script. */
const shown: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.csv': 'text/plain; charset=utf-8',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'text/plain; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  // Inside an <img> its script never runs; opened alone, the policy below forbids it.
  '.svg': 'image/svg+xml',
};

/** A file of the vault, sent so that it can do nothing. Its path was checked. */
export async function serveFile(folder: string, path: string): Promise<Response> {
  const target = join(folder, path);
  const found = await stat(target).catch(() => undefined);
  if (!found?.isFile()) throw new ApiError('not_found', `There is no file ${path}.`);
  const type = shown[extname(path).toLowerCase()];
  const name = encodeURIComponent(basename(path));
  const content = Readable.toWeb(createReadStream(target)) as ReadableStream<Uint8Array>;
  return new Response(content, {
    headers: {
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Length': String(found.size),
      'Content-Disposition': `${type === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${name}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'private, no-cache',
    },
  });
}
