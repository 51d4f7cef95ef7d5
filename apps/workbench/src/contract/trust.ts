export interface TrustState {
  /** Entries of the vault that nobody on this machine has approved; the page asks once. */
  readonly pending: readonly PendingServer[];
}

export interface PendingServer {
  readonly id: string;
  readonly name: string;
  /** `tools`: it may start, but its tools claim more than when it was agreed to. */
  readonly verdict: 'new' | 'changed' | 'tools';
  /** What it would do on this machine, or what its tools claim, in full, line by line. */
  readonly does: readonly string[];
  /** A digest of what was shown; to be sent with the approval. */
  readonly seen: string;
}
