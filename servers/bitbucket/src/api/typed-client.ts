import type { ServiceClient, ServiceResponse } from '@errand/server-kit';

/** The methods that both editions use. */
export type Method = 'get' | 'post' | 'put' | 'delete';

/** The addresses of a contract that know a method. */
export type PathWith<Paths, M extends Method> = {
  [P in keyof Paths]: Paths[P] extends { readonly [K in M]: object } ? P : never;
}[keyof Paths] &
  string;

type Operation<Paths, P extends keyof Paths, M extends Method> = Paths[P] extends {
  readonly [K in M]: infer O;
}
  ? O
  : never;

type PathParameters<O> = O extends { readonly parameters: { readonly path: infer T } }
  ? { readonly path: T }
  : { readonly path?: undefined };

/** The query of a page that the service itself named. */
export type PageQuery = Readonly<Record<string, readonly string[]>>;

type Query<O> = O extends { readonly parameters: { readonly query?: infer Q } }
  ? { readonly query?: Partial<NonNullable<Q>> | PageQuery | undefined }
  : { readonly query?: PageQuery | undefined };

/** What a contract wants as the body of a request. */
export type BodyOf<Paths, P extends keyof Paths, M extends Method> =
  Operation<Paths, P, M> extends { readonly requestBody?: infer B }
    ? NonNullable<B> extends { readonly content: infer C }
      ? C[keyof C]
      : undefined
    : undefined;

type Content<R> = R extends { readonly content: infer C } ? C[keyof C] : undefined;

/** What a contract says is answered when a request was carried out. */
export type AnswerOf<Paths, P extends keyof Paths, M extends Method> =
  Operation<Paths, P, M> extends { readonly responses: infer R }
    ? { [S in keyof R]: S extends 200 | 201 | 204 ? Content<R[S]> : never }[keyof R]
    : never;

/** A request as the contract describes it. */
export type TypedRequest<Paths, P extends keyof Paths, M extends Method> = PathParameters<
  Operation<Paths, P, M>
> &
  Query<Operation<Paths, P, M>> & {
    readonly body?: BodyOf<Paths, P, M> | undefined;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly repeatable?: boolean;
    readonly maxBytes?: number;
    readonly deadlineMs?: number;
  };

/** Asks a service whose contract is `Paths`. */
export interface TypedClient<Paths> {
  /** The answer as JSON. */
  ask<M extends Method, P extends PathWith<Paths, M>>(
    method: M,
    path: P,
    request: TypedRequest<Paths, P, M>,
  ): Promise<AnswerOf<Paths, P, M>>;
  /** The answer as it came. */
  fetch<M extends Method, P extends PathWith<Paths, M>>(
    method: M,
    path: P,
    request: TypedRequest<Paths, P, M>,
  ): Promise<ServiceResponse>;
}

interface UntypedRequest {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: PageQuery | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly repeatable?: boolean;
  readonly maxBytes?: number;
  readonly deadlineMs?: number;
}

/** Types a service client by a contract. */
export function createTypedClient<Paths>(client: ServiceClient): TypedClient<Paths> {
  const send = async (method: string, template: string, request: unknown) => {
    const { path = {}, query = {}, body, ...rest } = request as UntypedRequest;
    return await client.request({
      ...rest,
      query,
      method: method.toUpperCase() as 'GET',
      path: fillTemplate(template, path),
      ...(body !== undefined && { json: body }),
    });
  };
  return {
    async ask(method, path, request) {
      const response = await send(method, path, request);
      return (response.bytes.length === 0 ? undefined : response.json()) as never;
    },
    fetch: (method, path, request) => send(method, path, request),
  };
}

/** The text of an answer that is no JSON; the page of a proxy fails as one. */
export function plainText(response: ServiceResponse): string {
  const isPage = /^text\/html/i.test(response.headers.get('content-type') ?? '');
  if (isPage) response.json();
  return response.text();
}

/** Puts values into an address; the path of a file keeps its slashes. */
function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    return name === 'path'
      ? value.split('/').map(encodeURIComponent).join('/')
      : encodeURIComponent(value);
  });
  return filled.replace(/\/$/, '');
}
