import { HostError, within } from '@errand/host';
import { retryAfter } from '@errand/wire';
import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { tooLarge } from '../message-limit.ts';
import type { Authorizer } from './authorizer.ts';
import { discardBody } from './discard-body.ts';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';
import { readText } from './read-body.ts';

interface AuthorizedHttpClientOptions {
  /** The server's name, for messages. */
  readonly server: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly line: HttpClient;
  readonly authorizer?: Authorizer;
}

/** How much of the body of an error response is read, and for how long. */
const refusalBytes = 64 * 1024;
const refusalMs = 1000;

const maxRenewals = 2;

/** Sends requests to one remote server, with the configured headers and, where it wants one, a token. */
export class AuthorizedHttpClient {
  readonly server: string;
  readonly url: URL;
  readonly #options: AuthorizedHttpClientOptions;

  constructor(options: AuthorizedHttpClientOptions) {
    this.server = options.server;
    this.url = options.url;
    this.#options = options;
  }

  /**
   * Resolves with a successful response (2xx). Rejects with a `HostError` when the server asks to wait, and
   * with a `SdkHttpError` for any other response.
   */
  async ask(request: HttpRequest, url = this.url): Promise<HttpResponse> {
    const { authorizer, headers = {}, line } = this.#options;
    for (let renewals = 0; ; renewals += 1) {
      const token = await authorizer?.token();
      const answer = await line.ask(url, {
        ...request,
        headers: {
          ...lowerCased(headers),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...request.headers,
        },
      });
      const { status } = answer;
      if (status >= 200 && status < 300) return answer;
      const challenge = answer.headers['www-authenticate'] ?? '';
      const wantsToken =
        status === 401 || (status === 403 && challenge.includes('insufficient_scope'));
      if (authorizer === undefined || !wantsToken || renewals === maxRenewals) {
        throw await refused(this.server, answer);
      }
      discardBody(answer.body);
      await authorizer.renew({ status, challenge, token }, request.signal);
    }
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

async function refused(server: string, answer: HttpResponse): Promise<Error> {
  const { status, headers, body } = answer;
  const statusText = body.statusMessage ?? '';
  const reading = readText(body, refusalBytes, (bytes) => tooLarge(server, bytes));
  const text = await within(
    reading.catch(() => ''),
    refusalMs,
  );
  if (text === undefined) body.destroy();
  const error = new SdkHttpError(
    SdkErrorCode.ClientHttpNotImplemented,
    `HTTP ${status} ${statusText}`.trim(),
    { status, statusText, text: text ?? '' },
  );
  const wait = retryAfter(headers['retry-after'], Date.now());
  const isBusy = status === 429 || (status === 503 && wait !== undefined);
  return isBusy ? busy(server, error, wait) : error;
}

/** A server that asks to be left alone for a while. With 429 it has certainly not run what it refuses. */
function busy(server: string, cause: SdkHttpError, wait: number | undefined): HostError {
  const when = wait === undefined ? 'in a moment' : `in ${Math.ceil(wait / 1000)} s`;
  return new HostError(
    'server_unavailable',
    `Server "${server}" takes no more requests for now (${cause.message}). Try again ${when}.`,
    {
      server,
      isPassing: true,
      ...(cause.status === 429 && { neverSent: true }),
      ...(wait !== undefined && { retryAfter: wait }),
    },
    { cause },
  );
}
