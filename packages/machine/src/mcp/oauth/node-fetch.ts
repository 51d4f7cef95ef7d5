import type { HostError } from '@errand/host';
import type { FetchLike } from '@modelcontextprotocol/client';
import { HttpClient } from '../http/http-client.ts';
import { readText } from '../http/read-body.ts';
import { tooLarge } from '../message-limit.ts';
import { refuseLoginAddress } from './login-address.ts';

/** The server that somebody logs in to. */
interface LoginServer {
  readonly name: string;
  readonly url: string;
}

/** Documents of authorization servers are small. */
const limit = 1024 * 1024;

/**
 * A fetch for logins that is Node's everywhere: inside an editor the global one is a browser's, and
 * asks authorization servers for permissions they give to no page. It refuses to go where the server may not
 * send us, and tells so by itself, because the SDK takes a failed request for a document that is not there.
 */
export function nodeFetch(
  { name: server, url: serverUrl }: LoginServer,
  signal: AbortSignal,
  onRefused: (refusal: HostError) => void = () => {},
): FetchLike {
  return async (url, init = {}) => {
    const refusal = refuseLoginAddress(server, new URL(url), new URL(serverUrl));
    if (refusal !== undefined) {
      onRefused(refusal);
      throw refusal;
    }
    // It follows redirects within an origin only.
    const line = new HttpClient(server);
    const { headers, body } = new Request(url, { ...init, duplex: 'half' } as RequestInit);
    const text = body === null ? undefined : await new Response(body).text();
    try {
      const answer = await line.ask(new URL(url), {
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(headers),
        ...(text !== undefined && { body: text }),
        signal,
      });
      const answered = await readText(answer.body, limit, (bytes) => tooLarge(server, bytes));
      return new Response(answered === '' ? null : answered, {
        status: answer.status,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
        ),
      });
    } catch (error) {
      // The error of fetch when the connection fails; the SDK checks for it.
      throw signal.aborted ? signal.reason : new TypeError('fetch failed', { cause: error });
    } finally {
      line.close();
    }
  };
}
