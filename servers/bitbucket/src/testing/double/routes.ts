import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { AnswerOf, BodyOf, Method, PathWith } from '../../api/typed-client.ts';
import { Refusal, type WorldUser } from './world.ts';

/** A request as a route of a double sees it. */
export interface Asked<Body> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly headers: IncomingMessage['headers'];
  /** Who asks; tokens of repositories belong to nobody. */
  readonly user: WorldUser | undefined;
  /** The address that was asked, to make others from. */
  readonly url: URL;
}

/** An answer that is not JSON. */
export class Raw {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    body: string | Uint8Array = '',
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  handle(asked: Asked<unknown>): Promise<unknown>;
}

/** The routes of a double: only those of the contract, and with its answers, can be declared. */
export class Routes<Paths> {
  readonly #routes: Route[] = [];

  on<M extends Method, P extends PathWith<Paths, M>>(
    method: M,
    path: P,
    handle: (
      asked: Asked<BodyOf<Paths, P, M>>,
    ) => Promise<AnswerOf<Paths, P, M> | Raw> | AnswerOf<Paths, P, M> | Raw,
  ): this {
    return this.onUndescribed(method, path, handle as (asked: Asked<unknown>) => unknown);
  }

  /** A route that the contract does not have, or describes wrongly. */
  onUndescribed(method: Method, path: string, handle: (asked: Asked<never>) => unknown): this {
    const names: string[] = [];
    const source = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name);
      return name === 'path'
        ? '(.*)'
        : /^(pullRequestId|pull_request_id)$/.test(name)
          ? '(\\d+)'
          : '([^/]+)';
    });
    this.#routes.push({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${source}/?$`),
      names,
      handle: async (asked) => await handle(asked as Asked<never>),
    });
    return this;
  }

  find(method: string, path: string) {
    for (const route of this.#routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match === null) continue;
      const values = match.slice(1).map((part) => decodeURIComponent(part));
      return {
        route,
        path: Object.fromEntries(route.names.map((name, index) => [name, values[index] ?? ''])),
      };
    }
    return undefined;
  }
}

interface DoubleOptions {
  /** The part of the address before the routes. */
  readonly prefix: string;
  readonly routes: { find: Routes<unknown>['find'] };
  /** Who sends these headers; refuses those it does not know. */
  readonly authenticate: (authorization: string | undefined, path: string) => WorldUser | undefined;
  readonly headers?: (user: WorldUser | undefined) => Readonly<Record<string, string>>;
  readonly refusal: (refusal: Refusal) => unknown;
}

/** Serves a double over HTTP on this machine. */
export async function serveDouble(
  options: DoubleOptions,
): Promise<AsyncDisposable & { readonly url: string }> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const send = (
      status: number,
      value: unknown,
      headers: Readonly<Record<string, string>> = {},
    ) => {
      const type = { 'content-type': 'application/json;charset=UTF-8', ...headers };
      response.writeHead(status, type).end(value === undefined ? '' : JSON.stringify(value));
    };
    try {
      const text = (await buffer(request)).toString();
      const path = url.pathname.startsWith(options.prefix)
        ? url.pathname.slice(options.prefix.length)
        : undefined;
      const found =
        path === undefined ? undefined : options.routes.find(request.method ?? '', path);
      if (found === undefined || path === undefined) {
        return void response
          .writeHead(404, { 'content-type': 'text/html' })
          .end('<html><title>Oops, you’ve found a dead link</title></html>');
      }
      const user = options.authenticate(request.headers.authorization, path);
      const value = await found.route.handle({
        path: found.path,
        query: url.searchParams,
        body: text === '' ? undefined : JSON.parse(text),
        headers: request.headers,
        user,
        url,
      });
      const headers = options.headers?.(user) ?? {};
      if (value instanceof Raw) {
        response.writeHead(value.status, { ...headers, ...value.headers }).end(value.body);
      } else
        send(value === undefined ? 204 : request.method === 'POST' ? 201 : 200, value, headers);
    } catch (error) {
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, `The double failed: ${error}`);
      if (!(error instanceof Refusal)) console.error(error);
      send(refusal.status, options.refusal(refusal));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${options.prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
