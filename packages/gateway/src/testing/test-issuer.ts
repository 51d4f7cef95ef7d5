import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen, urlAt } from '@errand/wire/node';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

/** How an authorization server behaves; may be changed while it runs. */
interface IssuerFaults {
  /** Every request is answered with HTTP 500. */
  isBroken?: boolean;
  /** What its metadata says instead. */
  metadata?: Readonly<Record<string, unknown>>;
  /** What it has as keys instead. */
  keys?: readonly JWK[];
}

interface Grant {
  readonly challenge: string;
  readonly redirect: string;
  readonly resource: string;
  readonly scope: string;
}

/**
 * An authorization server inside a test, with signed tokens, registration of clients, and codes that need their verifier. Whoever
 * asks is logged in as `subject`.
 */
export class TestIssuer implements AsyncDisposable {
  readonly faults: IssuerFaults = {};
  /** Paths that were asked for. */
  readonly requests: string[] = [];
  subject = 'ada';
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #grants = new Map<string, Grant>();
  #url = '';
  #key: { readonly kid: string; readonly secret: CryptoKey; readonly open: JWK } | undefined;

  static async start(): Promise<TestIssuer> {
    const issuer = new TestIssuer();
    await issuer.rotate();
    issuer.#url = urlAt(await listen(issuer.#server, { port: 0, host: '127.0.0.1' }, () => {}), '');
    return issuer;
  }

  get url(): string {
    return this.#url;
  }

  get openKey(): JWK {
    return this.#key?.open ?? {};
  }

  countOf(path: string): number {
    return this.requests.filter((each) => each === path).length;
  }

  /** Signs with a new key from now on, and no longer has the old one. */
  async rotate(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const kid = randomUUID();
    const open = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
    this.#key = { kid, secret: privateKey, open };
  }

  /** An access token for a resource; the claims and the header may be made wrong. */
  async token(
    resource: string,
    claims: Readonly<Record<string, unknown>> = {},
    header: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    if (this.#key === undefined) throw new Error('There is no key.');
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      iss: this.#url,
      aud: resource,
      sub: this.subject,
      iat: now,
      exp: now + 600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', kid: this.#key.kid, typ: 'at+jwt', ...header })
      .sign(this.#key.secret);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await closeServer(this.#server, 0);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.#url);
    this.requests.push(pathname);
    const body = await text(request);
    if (this.faults.isBroken) return json(response, 500, {});
    switch (pathname) {
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, { ...this.#metadata(), ...this.faults.metadata });
      case '/keys':
        return json(response, 200, { keys: this.faults.keys ?? [this.openKey] });
      case '/register':
        return json(response, 201, { ...(JSON.parse(body) as object), client_id: 'client-1' });
      case '/authorize':
        return this.#authorize(response, searchParams);
      case '/token':
        return this.#exchange(response, new URLSearchParams(body));
      default:
        return json(response, 404, {});
    }
  }

  #metadata() {
    return {
      issuer: this.#url,
      authorization_endpoint: `${this.#url}/authorize`,
      token_endpoint: `${this.#url}/token`,
      registration_endpoint: `${this.#url}/register`,
      jwks_uri: `${this.#url}/keys`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    };
  }

  #authorize(response: ServerResponse, asked: URLSearchParams): void {
    const take = (name: string) => asked.get(name) ?? '';
    if (take('code_challenge_method') !== 'S256') {
      json(response, 400, { error: 'invalid_request' });
      return;
    }
    const code = randomUUID();
    this.#grants.set(code, {
      challenge: take('code_challenge'),
      redirect: take('redirect_uri'),
      resource: take('resource'),
      scope: take('scope'),
    });
    const back = new URL(take('redirect_uri'));
    back.searchParams.set('code', code);
    if (asked.has('state')) back.searchParams.set('state', take('state'));
    response.writeHead(302, { location: back.href }).end();
  }

  async #exchange(response: ServerResponse, form: URLSearchParams): Promise<void> {
    const code = form.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const proof = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isRight =
      grant !== undefined &&
      proof.digest('base64url') === grant.challenge &&
      form.get('redirect_uri') === grant.redirect &&
      form.get('resource') === grant.resource;
    if (!isRight) return json(response, 400, { error: 'invalid_grant' });
    const { resource, scope } = grant;
    const access_token = await this.token(resource, { scope, client_id: form.get('client_id') });
    json(response, 200, { access_token, token_type: 'Bearer', expires_in: 600, scope });
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
