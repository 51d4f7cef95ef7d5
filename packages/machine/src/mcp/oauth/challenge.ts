import type { ServerConfig } from '@errand/host';
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import { HttpClient } from '../http/http-client.ts';

/** What a server says in `WWW-Authenticate` when it refuses a request. */
interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/** Reads a `WWW-Authenticate` header. */
export function readChallenge(header: string): Challenge {
  const response = new Response(null, { status: 401, headers: { 'www-authenticate': header } });
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return {
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
  };
}

/** What the server says to a request without a token; nothing when it asks for none. */
export async function askForChallenge(
  server: ServerConfig,
  url: string,
  signal: AbortSignal,
): Promise<Challenge | undefined> {
  const line = new HttpClient(server.name);
  try {
    const isSse = server.transport === 'sse';
    const { status, headers, body } = await line.ask(new URL(url), {
      method: isSse ? 'GET' : 'POST',
      headers: {
        accept: isSse ? 'text/event-stream' : 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      ...(!isSse && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }),
      signal,
    });
    body.destroy();
    return status === 401 || status === 403
      ? readChallenge(headers['www-authenticate'] ?? '')
      : undefined;
  } finally {
    line.close();
  }
}
