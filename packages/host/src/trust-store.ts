import type { ApprovalRule } from './settings.ts';

/** What a person agreed to start on this machine, for one vault. Kept outside the vault. */
export interface TrustStore {
  load(): Promise<TrustRecord>;
  save(change: (current: TrustRecord) => TrustRecord): Promise<TrustRecord>;
  /** Calls back after it changed; returns a function that stops it. */
  watch(listener: () => void): () => void;
}

/** What was agreed to, by the id of the server or assistant. */
export type TrustRecord = ReadonlyMap<string, Agreement>;

/** One yes, and what it covers. Fields that are not known here are kept. */
export interface Agreement {
  /** Hash of what the entry says. */
  readonly fingerprint: string;
  /** What the files of the vault that it runs were, by their path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether a model's calls were asked about; nothing in agreements of older versions. */
  readonly approval?: ApprovalRule;
  /** What the server's tools said of themselves in their first list after the yes. */
  readonly tools?: ToolNote;
}

/** Hints of tools, by their names; see `ToolClaims`. */
export interface ToolNote {
  readonly agreed: Readonly<Record<string, string>>;
  /** The latest list, when it claims more than was agreed to. */
  readonly claimed?: Readonly<Record<string, string>>;
}
