import { raceSignal } from '@errand/wire';
import { type BreakerLimits, createCircuitBreaker } from './circuit-breaker.ts';
import { type Clock, systemClock } from './clock.ts';
import { createPauseGate } from './pause-gate.ts';
import { createRequestSlots } from './request-slots.ts';
import {
  type Classify,
  isSafeMethod,
  type PreparedRequest,
  type ServiceResponse,
  sendOnce,
  shownUrl,
} from './send-once.ts';
import { type Sent, ServiceError } from './service-error.ts';

interface ServiceLimits {
  /** The largest answer that is read. */
  readonly maxBytes: number;
  readonly retries: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** When the service asks for a longer wait, the request fails and says so. */
  readonly longestRetryAfterMs: number;
  readonly breaker: BreakerLimits;
}

const defaultLimits: ServiceLimits = {
  maxBytes: 16 * 1024 * 1024,
  retries: 3,
  firstRetryMs: 1000,
  longestRetryMs: 10_000,
  longestRetryAfterMs: 20_000,
  breaker: { failures: 5, withinMs: 60_000, openMs: 30_000 },
};

export interface ServiceClientOptions {
  /** Everything is asked below this address. */
  readonly baseUrl: string;
  /** Headers with the credentials, asked for before each attempt. */
  authorize?(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** Hears of the headers that the service refused with 401; the request is then sent once more. */
  onUnauthorized?(headers: Readonly<Record<string, string>>): void;
  /** Names the kind of a refusal where its status alone does not tell. */
  readonly classify?: Classify;
  /** The time for a request with all its attempts and waits. */
  readonly deadlineMs?: number;
  readonly maxConcurrent?: number;
  readonly limits?: Partial<ServiceLimits>;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  readonly random?: () => number;
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface ServiceRequest {
  readonly method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the base address, or a whole address below it that the service gave. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether it may be sent again when nobody knows whether it was carried out. By default so for methods that only
   * read; others are repeated only after a refusal that proves that nothing happened. `false`: never repeated.
   */
  readonly repeatable?: boolean;
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
}

/** Asks one web service, with deadline, retries, a circuit breaker and a limit of requests at once. */
export interface ServiceClient {
  /** The answer of the service; a `ServiceError` otherwise. What `authorize` throws is passed on. */
  request(request: ServiceRequest): Promise<ServiceResponse>;
  /** Milliseconds for which the service wants no requests; 0 when it takes them. */
  pausedMs(): number;
}

/** Creates the client of a service. Connections are kept open and shared by Node. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { clock = systemClock, random = Math.random } = options;
  const { authorize = async () => ({}), onUnauthorized, classify = () => undefined } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const base = new URL(options.baseUrl);
  const breaker = createCircuitBreaker(limits.breaker, clock);
  const slots = createRequestSlots(options.maxConcurrent ?? 4);
  const gate = createPauseGate(
    { firstMs: limits.firstRetryMs, longestMs: limits.longestRetryMs },
    clock,
  );

  const attempt = async (
    prepared: PreparedRequest,
    signal: AbortSignal,
    { isLate, endsAt }: { readonly isLate: () => boolean; readonly endsAt: number },
  ) => {
    using _slot = await slots.take(signal);
    const patienceMs = Math.min(limits.longestRetryAfterMs, endsAt - clock.monotonic());
    const leave = await gate.enter(patienceMs, signal);
    if (typeof leave === 'number') {
      const facts = { kind: 'rate_limited', sent: 'no', retryAfterMs: leave } as const;
      throw failure(prepared, { ...facts, isTemporary: true });
    }
    let pause: Parameters<typeof leave>[0] = { kind: 'unknown' };
    using _leaving = { [Symbol.dispose]: () => leave(pause) };
    const report = breaker.enter();
    if (typeof report === 'number') {
      throw failure(prepared, { kind: 'breaker_open', sent: 'no', retryAfterMs: report });
    }
    let outcome: Parameters<typeof report>[0] = 'unknown';
    let credentials: Readonly<Record<string, string>> = {};
    try {
      credentials = await raceSignal(authorize(signal), signal);
      const request = { ...prepared, headers: { ...prepared.headers, ...credentials } };
      const send = options.fetch ?? fetch;
      const response = await sendOnce(request, { fetch: send, classify, signal, now: clock.now() });
      outcome = 'succeeded';
      pause = { kind: 'answered' };
      return response;
    } catch (error) {
      if (error instanceof ServiceError) {
        const { kind, status, retryAfterMs } = error;
        if (kind === 'rate_limited') pause = { kind: 'limited', retryAfterMs };
        else if (status !== undefined) pause = { kind: 'answered' };
        if (error.kind === 'unauthorized') onUnauthorized?.(credentials);
        const isDown = error.kind === 'unavailable' || error.kind === 'cut';
        // A passed deadline shows a service that hangs; a caller that leaves shows nothing.
        if (!signal.aborted) outcome = isDown ? 'failed' : 'succeeded';
        else if (isLate()) outcome = 'failed';
      }
      throw error;
    } finally {
      report(outcome);
    }
  };

  /** The milliseconds to wait before sending again; nothing when it must not be sent again. */
  const waitBefore = (retry: number, error: ServiceError, request: ServiceRequest) => {
    const { repeatable } = request;
    if (!error.isTemporary || repeatable === false || retry > limits.retries) return undefined;
    if (!(repeatable ?? isSafeMethod(request.method)) && error.sent !== 'no') return undefined;
    if (error.retryAfterMs !== undefined && error.retryAfterMs > limits.longestRetryAfterMs)
      return undefined;
    const backoff = Math.min(limits.firstRetryMs * 2 ** (retry - 1), limits.longestRetryMs);
    return Math.max(backoff * (0.5 + random() / 2), error.retryAfterMs ?? 0);
  };

  return {
    pausedMs: gate.pausedMs,
    async request(request) {
      const prepared = prepare(base, request, limits.maxBytes);
      const deadlineMs = request.deadlineMs ?? options.deadlineMs ?? 30_000;
      const endsAt = clock.monotonic() + deadlineMs;
      const over = new AbortController();
      const deadline = new AbortController();
      const given = request.signal === undefined ? [] : [request.signal];
      const signal = AbortSignal.any([deadline.signal, ...given]);
      clock.sleep(deadlineMs, over.signal).then(
        () => deadline.abort(),
        () => undefined,
      );
      const isLate = () => deadline.signal.aborted;
      let sent: Sent = 'no';
      let isRenewed = false;
      let retry = 1;
      try {
        for (;;) {
          try {
            return await attempt(prepared, signal, { isLate, endsAt });
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
            if (error.sent !== 'no') sent = error.sent;
            if (signal.aborted) throw error;
            const mayRenew = error.kind === 'unauthorized' && onUnauthorized !== undefined;
            const waitMs = mayRenew && !isRenewed ? 0 : waitBefore(retry, error, request);
            if (waitMs === undefined || clock.monotonic() + waitMs >= endsAt) throw error;
            if (waitMs === 0) isRenewed = true;
            else {
              retry += 1;
              await clock.sleep(waitMs, signal);
            }
          }
        }
      } catch (error) {
        const facts = error instanceof ServiceError ? error : undefined;
        if (signal.aborted) {
          const kind = isLate() ? 'timeout' : 'cancelled';
          const isTemporary = kind === 'timeout';
          throw failure(prepared, { kind, sent, isTemporary, status: facts?.status }, error);
        }
        // An earlier attempt may have been carried out although the last one was not.
        if (facts === undefined || facts.sent === sent) throw error;
        throw new ServiceError({ ...facts, sent }, { cause: error });
      } finally {
        over.abort();
      }
    },
  };
}

function prepare(base: URL, request: ServiceRequest, maxBytes: number): PreparedRequest {
  const { method, path, query = {}, json, headers = {} } = request;
  const folder = base.href.replace(/[?#].*$/, '').replace(/\/*$/, '/');
  const url = /^https?:/.test(path) ? URL.parse(path) : URL.parse(path.replace(/^\/+/, ''), folder);
  if (url === null || !`${url.origin}${url.pathname}/`.startsWith(folder)) {
    const shown = url === null ? shownUrl(base) : shownUrl(url);
    throw new ServiceError({
      kind: 'invalid',
      method,
      url: shown,
      sent: 'no',
      detail: `This is not below ${shownUrl(base)}.`,
    });
  }
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value ?? []].flat()) url.searchParams.append(name, String(each));
  }
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? request.body : JSON.stringify(json),
    maxBytes: request.maxBytes ?? maxBytes,
  };
}

function failure(
  { method, url }: PreparedRequest,
  facts: Omit<ConstructorParameters<typeof ServiceError>[0], 'method' | 'url'>,
  cause?: unknown,
): ServiceError {
  return new ServiceError({ method, url: shownUrl(url), ...facts }, { cause });
}
