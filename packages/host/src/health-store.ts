import type { ErrorInfo } from './tool-invocation.ts';

/** What this machine knows of a server from running it; the settings file holds nothing of it. */
export interface HealthRecord {
  readonly lastConnectedAt?: number;
  /** Failed retries since the last connection. */
  readonly failureCount?: number;
  /** The server was switched off by the host, not by a person. */
  readonly autoDisabled?: AutoDisabled;
}

export interface AutoDisabled {
  readonly at: number;
  readonly reason: ErrorInfo;
  /** A hash of how the server was reached; an entry that was changed since deserves another try. */
  readonly entry: string;
}

export type HealthRecords = Readonly<Record<string, HealthRecord>>;

/** Where the records of a vault's servers live, by server id: outside the vault, on this machine. */
export interface HealthStore {
  /** Rejects when they cannot be read now, which says nothing of the servers. */
  load(): Promise<HealthRecords>;
  /** Applies a change to what is stored now, never to a copy. */
  save(change: (current: HealthRecords) => HealthRecords): Promise<void>;
  /** Calls back after another program changed them; returns a function that stops it. */
  watch(listener: () => void): () => void;
}
