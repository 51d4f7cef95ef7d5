import { isRecord, retryAfter } from '@errand/wire';
import {
  type Sent,
  ServiceError,
  type ServiceErrorKind,
  type ServiceFailure,
} from './service-error.ts';

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
  readonly maxBytes: number;
}

/** The answer of a service to a request that it has carried out. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  text(): string;
  /** The answer as JSON; throws a `ServiceError` of kind `not_json` when it is something else. */
  json(): unknown;
}

/** Says what a refusal means where the status alone does not. */
export type Classify = (status: number, detail: unknown) => ServiceErrorKind | undefined;

interface SendContext {
  readonly fetch: typeof fetch;
  readonly classify: Classify;
  readonly signal: AbortSignal;
  readonly now: number;
}

/** Whether a method only reads. */
export function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Sends a request once and reads the whole answer. Every failure is a `ServiceError`, but for those of the signal. */
export async function sendOnce(
  request: PreparedRequest,
  { fetch, classify, signal, now }: SendContext,
): Promise<ServiceResponse> {
  const { method, url, headers, body, maxBytes } = request;
  const fail = (failure: Omit<ServiceFailure, 'method' | 'url'>, cause?: unknown) =>
    new ServiceError({ method, url: shownUrl(url), ...failure }, { cause });
  signal.throwIfAborted();
  /** The address that was asked last: redirects may be relative to it. */
  let asked = url;
  let answer: Response;
  try {
    // Redirects are followed by us: fetch would go to any address.
    const options = { method, headers, redirect: 'manual', signal } as const;
    answer = await fetch(url, body === undefined ? options : { ...options, body });
    for (let redirects = 0; redirects < maxRedirects && isSafeMethod(method); redirects += 1) {
      const target = redirectTarget(answer, asked);
      if (target?.origin !== url.origin) break;
      await answer.body?.cancel();
      asked = target;
      answer = await fetch(asked, options);
    }
  } catch (error) {
    // What fetch cannot make a request of has no failure below it; its message shows the headers.
    if (error instanceof TypeError && error.cause === undefined)
      throw fail({ kind: 'invalid', sent: 'no' });
    throw fail(connectionFailure(error), error);
  }
  const { status } = answer;
  const isDone = answer.ok || status === 304;
  // Once a status is here, a broken body leaves no doubt about what the service did.
  const sent = isDone ? 'yes' : sentByStatus(status, method);
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readAtMost(answer, isDone ? maxBytes : maxDetailBytes);
  } catch (error) {
    if (isDone || signal.aborted)
      throw fail({ kind: 'cut', status, sent, isTemporary: true }, error);
  }
  if (isDone) {
    if (bytes === undefined) throw fail({ kind: 'too_large', status, sent, detail: { maxBytes } });
    return responseOf(answer, bytes, fail);
  }
  const detail = bytes === undefined ? undefined : readDetail(bytes);
  const kind = classify(status, detail) ?? kindOf(status);
  throw fail({
    kind,
    status,
    sent: kind === 'rate_limited' ? 'no' : sent,
    detail: kind === 'redirected' ? redirectDetail(answer, asked) : detail,
    retryAfterMs: retryAfter(answer.headers.get('retry-after') ?? undefined, now),
    isTemporary: kind === 'rate_limited' || temporary.has(status),
  });
}

/** An address as errors and logs may show it. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

const maxRedirects = 5;
const maxDetailBytes = 64 * 1024;
const maxDetailLength = 2000;
const temporary: ReadonlySet<number> = new Set([408, 425, 500, 502, 503, 504]);

function kindOf(status: number): ServiceErrorKind {
  if (status < 400) return 'redirected';
  if (status === 408 || status >= 500) return 'unavailable';
  return kindByStatus[status] ?? 'invalid';
}

const kindByStatus: Readonly<Record<number, ServiceErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  429: 'rate_limited',
};

function sentByStatus(status: number, method: string): Sent {
  if (isSafeMethod(method)) return 'no';
  return status >= 400 && status < 500 && status !== 408 ? 'no' : 'maybe';
}

/** The error of a request that got no status. */
function connectionFailure(error: unknown): Omit<ServiceFailure, 'method' | 'url'> {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code, syscall } =
    isRecord(cause) || cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  const name = typeof code === 'string' ? code : '';
  const isCertificate = /CERT|^UNABLE_TO|^ERR_(SSL|TLS)/.test(name);
  const isUnconnected = syscall === 'connect' || unconnected.has(name) || isCertificate;
  const detail = name === '' ? undefined : { code: name };
  return isUnconnected
    ? { kind: 'unavailable', sent: 'no', detail, isTemporary: !isCertificate }
    : { kind: 'cut', sent: 'maybe', detail, isTemporary: true };
}

/** Codes of failures to connect: nothing of the request has left this computer. */
const unconnected: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

async function readAtMost(answer: Response, limit: number): Promise<Uint8Array | undefined> {
  if (answer.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of answer.body) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function readDetail(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes).trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, maxDetailLength);
  }
}

function redirectTarget({ status, headers }: Response, url: URL): URL | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  return (location === null ? null : URL.parse(location, url.href)) ?? undefined;
}

function redirectDetail(answer: Response, url: URL): { readonly location: string } | undefined {
  const target = redirectTarget(answer, url);
  return target && { location: shownUrl(target) };
}

function responseOf(
  { status, headers }: Response,
  bytes: Uint8Array,
  fail: (failure: Omit<ServiceFailure, 'method' | 'url'>, cause?: unknown) => ServiceError,
): ServiceResponse {
  const text = () => new TextDecoder().decode(bytes);
  return {
    status,
    headers,
    bytes,
    text,
    json() {
      try {
        return JSON.parse(text()) as unknown;
      } catch (cause) {
        const contentType = headers.get('content-type') ?? undefined;
        const detail = { contentType, text: text().slice(0, maxDetailLength) };
        throw fail({ kind: 'not_json', status, sent: 'yes', detail }, cause);
      }
    },
  };
}
