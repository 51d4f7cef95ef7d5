import { McpError, ServiceError } from '@errand/server-kit';

/** Whether a request failed in such a way that the service may have carried it out. */
export function isUncertain(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.sent !== 'no' && error.kind !== 'cancelled';
}

/** Sends a change once; when its answer gets lost, looks for what it would have made. */
export async function settleWrite<T>(
  what: string,
  send: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isUncertain(error)) throw error;
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
    throw unclear(what, error);
  }
}

/** Clocks may differ by so much, and a request may take a while. */
const justNow = 5 * 60_000;

/** Whether something that Bitbucket shows may have been made by a request of this moment. */
export function isJustNow(created: string): boolean {
  return Math.abs(Date.now() - Date.parse(created)) < justNow;
}

/** Nobody knows whether a change was made. */
export function unclear(what: string, cause: ServiceError): McpError {
  return new McpError(
    'mcp_unavailable',
    `The answer to ${what} got lost, and nothing shows yet that Bitbucket carried it out. Look again before you repeat it.`,
    { state: 'unclear', reason: cause.kind, url: cause.url },
    { cause },
  );
}
