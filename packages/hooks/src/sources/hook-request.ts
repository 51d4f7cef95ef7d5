import type { IncomingMessage } from 'node:http';
import {
  hostnameOf,
  isAllowedOrigin,
  isJsonType,
  isLoopback,
  isLoopbackName,
  parseJson,
} from '@errand/wire/node';

const path = /^\/hooks\/([^/?#]+)(?:\?|$)/;

/** Why a request is refused before anything of it is read: a web page, or a name that was made to lead here. */
export function rejectionOf({ headers, socket }: IncomingMessage): string | undefined {
  const name = hostnameOf(headers.host);
  if (!isLoopback(socket.remoteAddress)) return 'Hooks take requests of this machine only.';
  if (!isLoopbackName(name)) return `Host "${name}" is not allowed. Use localhost or 127.0.0.1.`;
  if (!isAllowedOrigin(headers.origin, isLoopbackName)) return 'Web pages cannot run hooks.';
  return undefined;
}

/** The hook that a request names; undefined when its path is none of ours. */
export function hookIdOf(url: string): string | undefined {
  try {
    const [, id] = path.exec(url) ?? [];
    return id === undefined ? undefined : decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/** The body as JSON or text, by its type. */
export function contentOf(
  bytes: Buffer,
  type: string | undefined,
): { readonly value: unknown } | { readonly problem: string } {
  if (isJsonType(type)) {
    const parsed = parseJson(bytes);
    return parsed.kind === 'json' ? { value: parsed.value } : { problem: parsed.error.message };
  }
  try {
    return { value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: 'The body is not text in UTF-8.' };
  }
}
