import type { TransportType } from './client-session.ts';

/** One way in to a running server. */
export interface ServedTransport {
  readonly type: TransportType;
  readonly isActive: boolean;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Ends every connection and takes no more. */
  close(): Promise<void>;
}
