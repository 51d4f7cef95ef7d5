import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScriptedHttpServer } from './scripted-http-server.ts';

/** How an authorization server behaves; may be changed while it runs. */
interface LoginFaults {
  /** The person says no. */
  denies?: boolean;
  /** Refresh tokens are not accepted any more. */
  endsLogins?: boolean;
  /** Where it sends people to log in, instead of its own page. */
  authorizationEndpoint?: string;
  /** Where it sends programs, instead of its own addresses. */
  tokenEndpoint?: string;
  registrationEndpoint?: string;
}

/** An OAuth authorization server inside a test. It lets everybody in, and guards a scriptable server. */
export class ScriptedLoginServer implements AsyncDisposable {
  readonly faults: LoginFaults = {};
  /** What was asked of it, by path, with the form that came along. */
  readonly requests: { readonly path: string; readonly form: URLSearchParams }[] = [];
  readonly #guarded: ScriptedHttpServer;
  readonly #server: Server;
  #tokens = 0;

  constructor(guarded: ScriptedHttpServer) {
    this.#guarded = guarded;
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.#guarded.faults.challenge = `Bearer resource_metadata="${this.url}/resource", scope="notes"`;
    this.expireTokens();
    return this;
  }

  /** From now on the guarded server wants a token that nobody has yet. */
  expireTokens(): void {
    this.#tokens += 1;
    this.#guarded.faults.token = `token-${this.#tokens}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const body = await readBody(request);
    const form = request.method === 'POST' ? new URLSearchParams(body) : searchParams;
    this.requests.push({ path: pathname, form });
    switch (pathname) {
      case '/resource':
        return json(response, 200, {
          resource: this.#guarded.url,
          authorization_servers: [this.url],
        });
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, {
          issuer: this.url,
          authorization_endpoint: this.faults.authorizationEndpoint ?? `${this.url}/authorize`,
          token_endpoint: this.faults.tokenEndpoint ?? `${this.url}/token`,
          registration_endpoint: this.faults.registrationEndpoint ?? `${this.url}/register`,
          revocation_endpoint: `${this.url}/revoke`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        });
      case '/register':
        return json(response, 201, { ...(JSON.parse(body) as object), client_id: 'errand-1' });
      case '/authorize':
        return this.#authorize(response, searchParams);
      case '/token':
        return this.#token(response, form);
      default:
        response.writeHead(pathname === '/revoke' ? 200 : 404).end();
    }
  }

  #authorize(response: ServerResponse, asked: URLSearchParams): void {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (this.faults.denies) back.searchParams.set('error', 'access_denied');
    else back.searchParams.set('code', 'code-1');
    response.writeHead(302, { location: back.href }).end();
  }

  #token(response: ServerResponse, form: URLSearchParams): void {
    const isEnded = form.get('grant_type') === 'refresh_token' && this.faults.endsLogins;
    if (isEnded) json(response, 400, { error: 'invalid_grant' });
    else
      json(response, 200, {
        access_token: this.#guarded.faults.token,
        refresh_token: 'refresh-1',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'notes',
      });
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}
