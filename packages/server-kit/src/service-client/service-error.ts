/** Every way in which a request to a service fails, each with what it means. */
const kinds = {
  unauthorized: 'The service does not accept the credentials (401).',
  forbidden: 'The credentials do not allow this (403).',
  not_found: 'What the request names does not exist (404, 410).',
  conflict: 'The state has changed since it was read (409, 412).',
  rate_limited: 'Too many requests (429, or what the service says in its own way).',
  unavailable: 'The service cannot be reached, or fails by itself (5xx).',
  invalid: 'The service does not accept the request (any other 4xx), or it cannot be made.',
  timeout: 'The deadline passed.',
  cut: 'The connection broke before the answer was complete.',
  too_large: 'The answer is larger than the limit.',
  not_json: 'The answer is not JSON, often the login page of a proxy.',
  redirected: 'The service sends the request elsewhere, and credentials do not follow.',
  breaker_open: 'The service failed too often; it is not asked again for a while.',
  cancelled: 'The caller gave up.',
} as const;

export type ServiceErrorKind = keyof typeof kinds;

/** Whether the service may have carried out the request. */
export type Sent = 'no' | 'maybe' | 'yes';

export interface ServiceFailure {
  readonly kind: ServiceErrorKind;
  readonly method: string;
  /** The address without query, user and password. */
  readonly url: string;
  readonly sent: Sent;
  readonly status?: number | undefined;
  /** When the service says that it can be asked again, or when the breaker lets a request through. */
  readonly retryAfterMs?: number | undefined;
  /** What the service answered: JSON, or text of limited length. */
  readonly detail?: unknown;
  /** Whether the same request may succeed later without any change. */
  readonly isTemporary?: boolean;
}

/** A request to a service that failed. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly method: string;
  readonly url: string;
  readonly sent: Sent;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly detail: unknown;
  readonly isTemporary: boolean;

  constructor(failure: ServiceFailure, options?: ErrorOptions) {
    const { kind, method, url, status } = failure;
    super(
      `${method} ${url}: ${status === undefined ? '' : `HTTP ${status}. `}${kinds[kind]}`,
      options,
    );
    this.kind = kind;
    this.method = method;
    this.url = url;
    this.sent = failure.sent;
    this.status = status;
    this.retryAfterMs = failure.retryAfterMs;
    this.detail = failure.detail;
    this.isTemporary = failure.isTemporary ?? false;
  }
}
