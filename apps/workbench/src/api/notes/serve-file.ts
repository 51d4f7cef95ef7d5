import { constants, createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { Readable } from 'node:stream';
import { FilesError, locateFile, openContainedRoot, openFileInSync } from '@errand/files';
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

/** A file of the vault, sent so that it can do nothing. The letters of its path were checked. */
export async function serveFile(folder: string, path: string): Promise<Response> {
  const { descriptor, stats } = open(folder, path);
  const type = shown[extname(path).toLowerCase()];
  const name = encodeURIComponent(basename(path));
  const content = Readable.toWeb(
    createReadStream('', { fd: descriptor }),
  ) as ReadableStream<Uint8Array>;
  return new Response(content, {
    headers: {
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Length': String(stats.size),
      'Content-Disposition': `${type === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${name}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'private, no-cache',
    },
  });
}

function open(folder: string, path: string) {
  try {
    using file = locateFile(openContainedRoot(folder), path.split('/'));
    return openFileInSync(file, constants.O_RDONLY);
  } catch (error) {
    const isOutside = error instanceof FilesError && error.code === 'outside';
    if (isOutside) throw new ApiError('forbidden', error.message);
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new ApiError('not_found', `There is no file ${path}.`);
  }
}
