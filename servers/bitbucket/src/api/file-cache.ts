import type { ServiceResponse } from '@errand/server-kit';

/** Files that were read lately, so that the next page of one is not sent again. */
export interface FileCache {
  read(
    name: readonly string[],
    fetch: (headers: Readonly<Record<string, string>>) => Promise<ServiceResponse>,
  ): Promise<Uint8Array>;
}

/** Creates a cache of files; each read still asks the service whether its copy is current. */
export function createFileCache(maxBytes = 16 * 1024 * 1024): FileCache {
  const kept = new Map<string, { readonly etag: string; readonly bytes: Uint8Array }>();
  let size = 0;
  const forget = (key: string) => {
    size -= kept.get(key)?.bytes.length ?? 0;
    kept.delete(key);
  };
  return {
    async read(name, fetch) {
      const key = JSON.stringify(name);
      const old = kept.get(key);
      const response = await fetch(old === undefined ? {} : { 'if-none-match': old.etag });
      const etag = response.headers.get('etag');
      const bytes = response.status === 304 && old !== undefined ? old.bytes : response.bytes;
      forget(key);
      if (etag !== null && bytes.length <= maxBytes / 2) {
        kept.set(key, { etag, bytes });
        size += bytes.length;
      }
      // A map gives its keys in the order of insertion, so the first is the oldest.
      for (const oldest of kept.keys()) {
        if (size <= maxBytes) break;
        forget(oldest);
      }
      return bytes;
    },
  };
}
