export type TransportType = 'stdio' | 'http' | 'sse';
export type SessionStatus = 'connected' | 'disconnected' | 'error';

/** Why something of a session failed. */
export interface SessionFailure {
  readonly message: string;
  readonly at: Date;
}

/** One client's conversation with the server. */
export interface ClientSession {
  readonly sessionId: string;
  readonly transport: TransportType;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly connectionTime: Date;
  readonly lastActivity: Date;
  readonly status: SessionStatus;
  /** The last message of this client that could not be served, and when. */
  readonly lastError: SessionFailure | undefined;
}
