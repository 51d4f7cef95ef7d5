import { type ClientResponse, hc } from 'hono/client';
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

/** The routes of the API, by their paths. Requests fail with an `ApiProblem`. */
export const api = encodeParams(hc<Api>('/api', { fetch: send }));

/** The JSON of an answer. */
export async function ask<Answer>(response: Promise<JsonResponse<Answer>>): Promise<Answer> {
  return (await response).json();
}

type JsonResponse<Answer> = ClientResponse<Answer, 200 | 201 | 202, 'json'>;

/** The options of a request that a signal aborts. */
export function abortedBy(signal: AbortSignal | undefined) {
  return { init: signal === undefined ? {} : { signal } };
}

/** A sentence and code for whatever was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiProblem) return error.failure;
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

async function send(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new ApiProblem(0, { error: unreachable });
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  throw new ApiProblem(response.status, isFailure(body) ? body : { error: unexpected(response) });
}

/** `hc` puts path parameters into the URL as they are, so that an id with a slash would name another route. */
function encodeParams<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? encodeParams(member) : member;
    },
    apply(target, _self, [request, ...options]: Parameters<SendRequest>) {
      const params = Object.entries(request?.param ?? {});
      const param = Object.fromEntries(params.map(([name, id]) => [name, encodeURIComponent(id)]));
      return (target as SendRequest)({ ...request, param }, ...options);
    },
  });
}

type SendRequest = (
  request?: { readonly param?: Readonly<Record<string, string>> },
  ...options: unknown[]
) => unknown;

const unreachable: Failure = {
  code: 'unreachable',
  message: 'Errand does not answer. Is "errand serve" still running?',
};

function unexpected({ status }: Response): Failure {
  return { code: 'internal', message: `Errand answered with the unexpected status ${status}.` };
}

function isFailure(body: unknown): body is ApiFailure {
  return typeof body === 'object' && body !== null && 'error' in body;
}
