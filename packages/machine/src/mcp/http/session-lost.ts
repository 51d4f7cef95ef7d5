import { SdkHttpError } from '@modelcontextprotocol/client';

/** The server no longer knows our session, and did nothing with the request it refused for that. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost';
}

/** Tells a lost session from other refusals of a request that named one. */
export function isSessionRefusal(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false;
  // The specification wants 404; a widespread example server says 400 and why.
  return error.status === 404 || (error.status === 400 && /session/i.test(String(error.data.text)));
}
