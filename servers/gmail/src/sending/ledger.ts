/**
 * How far a mail is. What has no answer yet is written down before it is asked for: `drafting` and `sending` mean
 * that a request may be under way.
 */
export type SendState = 'intent' | 'drafting' | 'drafted' | 'sending' | 'sent' | 'unclear';

/** What the ledger knows of one mail. */
export interface SendRecord {
  readonly key: string;
  /** Tells whether the same key is used for another mail. */
  readonly contentHash: string;
  readonly state: SendState;
  /** Changes with each write; a writer names the version that it has seen. */
  readonly version: number;
  /** The process that acts on it. */
  readonly owner: string;
  readonly createdAt: number;
  /** When the state was entered. */
  readonly changedAt: number;
  readonly draftId?: string | undefined;
  readonly messageId?: string | undefined;
  readonly threadId?: string | undefined;
  readonly sentAt?: number | undefined;
}

/** A mail that somebody asks to send. */
export interface SendClaim {
  /** Without one, the same content within `repeatedWithin` counts as the same mail. */
  readonly key: string | undefined;
  readonly contentHash: string;
  readonly owner: string;
}

export interface ClaimLimits {
  /** Milliseconds in which the same content is the same mail. */
  readonly repeatedWithin: number;
  /** The most mails in 24 hours. */
  readonly dailyCap: number;
}

export type Claimed =
  /** The mail is new; its record is on the disk. */
  | { readonly kind: 'begun'; readonly record: SendRecord }
  /** There is a record of this mail, which is returned unchanged. */
  | { readonly kind: 'known'; readonly record: SendRecord }
  | { readonly kind: 'capped'; readonly freeAt: number };

export type RecordChange = Partial<
  Omit<SendRecord, 'key' | 'contentHash' | 'version' | 'createdAt'>
>;

/** The ledger could not be read or written. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

/**
 * Which mails were sent, or may have been. A write has reached the disk when its promise resolves; when it fails with a
 * `LedgerError`, it may have been written all the same.
 */
export interface Ledger extends AsyncDisposable {
  /** The time of the clock that records are stamped by: one clock for all that share the ledger. */
  now(): number;
  /** The record that a claim would meet. */
  find(claim: SendClaim, limits: ClaimLimits): Promise<SendRecord | undefined>;
  /** Finds the record of a mail or begins one, as one step for all processes. */
  claim(claim: SendClaim, limits: ClaimLimits): Promise<Claimed>;
  /** Writes a change if nobody else has written meanwhile; answers with the new record, or nothing. */
  change(record: SendRecord, change: RecordChange): Promise<SendRecord | undefined>;
  /** Removes a record of which nothing has reached Gmail. */
  forget(record: SendRecord): Promise<void>;
  /** Whether a draft or a message belongs to another record. */
  isTaken(record: SendRecord, id: string): Promise<boolean>;
  /** How many mails are in each state. */
  counts(): Promise<Readonly<Partial<Record<SendState, number>>>>;
}
