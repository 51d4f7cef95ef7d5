/** Told what a transport over HTTP cannot deal with itself. */
export interface TransportListener {
  /** A stream broke; whether the server is gone is another question. */
  readonly onStreamLost: () => void;
  /** A handler threw, and the connection cannot go on. */
  readonly onFault: (error: unknown) => void;
}

/** How many of our answers a server may leave unread; each of them holds a socket. */
export const maxUnread = 100;

const notificationMs = 5000;

/** How long a server may take for what needs no answer. */
export function notificationTimeout(): AbortSignal {
  return AbortSignal.timeout(notificationMs);
}
