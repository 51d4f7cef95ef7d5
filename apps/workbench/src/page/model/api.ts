import type { ClientResponse, hc } from 'hono/client';
import type { Api } from '../../api/api-routes.ts';
import type { ApiFailure, Failure, Note } from '../../contract.ts';
import { inPage } from './advice.ts';

/** A request that the API refused, or that did not reach it. */
export class ApiProblem extends Error {
  readonly failure: Failure;
  readonly status: number;
  /** With the code `conflict`: the note as it is now. */
  readonly current: Note | undefined;

  constructor(status: number, { error, current }: ApiFailure) {
    super(error.message);
    this.name = 'ApiProblem';
    this.status = status;
    const { advice: _said, ...failure } = error;
    this.failure = { ...failure, message: inPage(error) };
    this.current = current;
  }

  get isUnreachable(): boolean {
    return this.status === 0;
  }
}

/** The routes of the API, by their paths. A request resolves to its answer, or fails with an `ApiProblem`. */
export const api = routesAt('/api') as Routes<ReturnType<typeof hc<Api>>>;

/** The routes as `hono/client` types them, as far as `routesAt` can send what they take. */
type Routes<Node> = {
  readonly [Name in keyof Node]: Node[Name] extends (
    ...args: infer Args extends [(ApiRequest | undefined)?, unknown?]
  ) => Promise<ClientResponse<infer Answer, number, 'json'>>
    ? undefined extends Args[0]
      ? (request?: Args[0], signal?: AbortSignal) => Promise<Answer>
      : (request: Args[0], signal?: AbortSignal) => Promise<Answer>
    : Routes<Node[Name]>;
};

/** What a route answers with. */
export type AnswerOf<Route extends (...args: never[]) => Promise<unknown>> = Awaited<
  ReturnType<Route>
>;

/** Does what the page needs of Hono's client at a tenth of its size, and encodes path parameters, which that does not. */
function routesAt(path: string): object {
  return new Proxy(
    {},
    {
      get: (_, name: string) =>
        name.startsWith('$')
          ? (request?: ApiRequest, signal?: AbortSignal) =>
              send(path, name.slice(1).toUpperCase(), request, signal)
          : routesAt(`${path}/${name}`),
    },
  );
}

interface ApiRequest {
  readonly param?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  /** These are not sent: a route that takes them cannot be called. */
  readonly form?: never;
  readonly header?: never;
  readonly cookie?: never;
}

async function send(
  path: string,
  method: string,
  { param = {}, query = {}, json }: ApiRequest = {},
  signal: AbortSignal | null = null,
): Promise<unknown> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, value);
  }
  const target = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(param[name] ?? ''));
  const url = `${search}` === '' ? target : `${target}?${search}`;
  const body = json === undefined ? {} : { body: JSON.stringify(json), headers: jsonHeaders };
  let response: Response;
  try {
    response = await fetch(url, { method, signal, ...body });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiProblem(0, { error: unreachable });
  }
  if (response.ok) return response.json();
  const failure: unknown = await response.json().catch(() => undefined);
  const status = response.status;
  throw new ApiProblem(status, isFailure(failure) ? failure : { error: unexpected(status) });
}

const jsonHeaders = { 'content-type': 'application/json' };

/** A sentence and code for whatever was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiProblem) return error.failure;
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

const unreachable: Failure = {
  code: 'unreachable',
  message: 'Errand does not answer. Is "errand serve" still running?',
};

function unexpected(status: number): Failure {
  return { code: 'internal', message: `Errand answered with the unexpected status ${status}.` };
}

function isFailure(body: unknown): body is ApiFailure {
  return typeof body === 'object' && body !== null && 'error' in body;
}
