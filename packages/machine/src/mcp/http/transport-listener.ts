/** Receives what an HTTP transport cannot handle itself. */
export interface TransportListener {
  /** A stream broke; whether the server is gone is another question. */
  readonly onStreamLost: () => void;
  /** A handler threw, and the connection cannot go on. */
  readonly onFault: (error: unknown) => void;
}

/** How many of our answers a server may leave unread; each of them holds a socket. */
export const maxUnread = 100;

const notificationMs = 5000;

/** A signal that ends a notification which the server does not accept in time. */
export function notificationTimeout(): AbortSignal {
  return AbortSignal.timeout(notificationMs);
}
