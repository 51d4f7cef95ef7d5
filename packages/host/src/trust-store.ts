/** What a person agreed to start on this machine, for one vault. Kept outside the vault. */
export interface TrustStore {
  load(): Promise<TrustRecord>;
  save(change: (current: TrustRecord) => TrustRecord): Promise<TrustRecord>;
  /** Calls back after it changed; returns a function that stops it. */
  watch(listener: () => void): () => void;
}

/** Fingerprints of what was agreed to, by server id. */
export type TrustRecord = ReadonlyMap<string, string>;
