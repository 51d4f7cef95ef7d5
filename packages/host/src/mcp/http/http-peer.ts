import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { tooLarge } from '../message-limit.ts';
import type { Authorizer } from './authorizer.ts';
import type { HttpAnswer, HttpLine, HttpRequest } from './http-line.ts';
import { readText } from './read-body.ts';

export interface HttpPeerOptions {
  /** The server's name, for messages. */
  readonly server: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly line: HttpLine;
  readonly authorizer?: Authorizer;
}

/** What is read of the body of a refusal. */
const refusalBytes = 64 * 1024;

const mostRenewals = 2;

/** A remote server as one asks it: with the configured headers and, where it wants one, a token. */
export class HttpPeer {
  readonly server: string;
  readonly url: URL;
  readonly #options: HttpPeerOptions;

  constructor(options: HttpPeerOptions) {
    this.server = options.server;
    this.url = options.url;
    this.#options = options;
  }

  /** Resolves with an answer that says yes (2xx); rejects with a `SdkHttpError` for any other. */
  async ask(request: HttpRequest, url = this.url): Promise<HttpAnswer> {
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
      if (authorizer === undefined || !wantsToken || renewals === mostRenewals) {
        throw await refused(this.server, answer);
      }
      answer.body.resume();
      await authorizer.renew({ status, challenge, token }, request.signal);
    }
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

async function refused(server: string, { status, body }: HttpAnswer): Promise<SdkHttpError> {
  const statusText = body.statusMessage ?? '';
  const text = await readText(body, refusalBytes, (bytes) => tooLarge(server, bytes)).catch(
    () => '',
  );
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status} ${statusText}`, {
    status,
    statusText,
    text,
  });
}
