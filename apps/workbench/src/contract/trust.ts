export interface TrustState {
  /** Entries that came with the vault and nobody on this machine has agreed to: ask once, when not empty. */
  readonly pending: readonly PendingServer[];
}

export interface PendingServer {
  readonly id: string;
  readonly name: string;
  /** `tools`: it may start, but its tools claim more than when it was agreed to. */
  readonly verdict: 'new' | 'changed' | 'tools';
  /** What it would do on this machine, or what its tools claim, in full, line by line. */
  readonly does: readonly string[];
  /** Stands for what was shown; to be sent with the yes. */
  readonly seen: string;
}
