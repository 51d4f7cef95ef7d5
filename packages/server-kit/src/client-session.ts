export type TransportType = 'stdio' | 'http' | 'sse';
export type SessionStatus = 'connected' | 'disconnected' | 'error';

/** One client's conversation with the server. */
export interface ClientSession {
  readonly sessionId: string;
  readonly transport: TransportType;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly connectionTime: Date;
  readonly lastActivity: Date;
  readonly status: SessionStatus;
}
