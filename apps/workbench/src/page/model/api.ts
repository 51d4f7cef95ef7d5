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

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Asks the API; `path` is below /api, as the contract lists them. Throws an `ApiProblem`. */
export async function ask<Answer>(
  method: Method,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  const sent = body ?? (method === 'POST' ? {} : undefined);
  let response: Response;
  try {
    response = await fetch(`/api${path}`, {
      method,
      ...(sent !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(sent),
      }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiProblem(0, { error: unreachable });
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as Answer;
  throw new ApiProblem(response.status, isFailure(answer) ? answer : { error: strange(response) });
}

/** A path of the API that names a note. */
export function notePath(route: string, path: string): string {
  return `${route}?path=${encodeURIComponent(path)}`;
}

/** Words for whatever was thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiProblem) return error.failure;
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

const unreachable: Failure = {
  code: 'unreachable',
  message: 'Errand does not answer. Is "errand serve" still running?',
};

function strange({ status }: Response): Failure {
  return { code: 'internal', message: `Errand answered with the unexpected status ${status}.` };
}

function isFailure(answer: unknown): answer is ApiFailure {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}
