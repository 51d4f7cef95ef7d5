import type { Vault } from '../files/vault.ts';
import type { VaultErrorCode } from '../vault-error.ts';
import type { TagCount } from './count-tags.ts';
import type { BacklinksAnswer } from './find-backlinks.ts';
import type { ListAnswer, ListRequest } from './list-notes.ts';
import type { SearchAnswer, SearchRequest } from './search-notes.ts';
import type { IndexStatus } from './vault-index.ts';

/** The methods of the index, with their parameters and results. */
export interface IndexMethods {
  search: { request: SearchRequest; answer: SearchAnswer };
  list: { request: ListRequest; answer: ListAnswer };
  tags: { request: Record<never, never>; answer: readonly TagCount[] };
  backlinks: { request: { readonly path: string }; answer: BacklinksAnswer };
  status: { request: Record<never, never>; answer: IndexStatus };
}

export type IndexMethod = keyof IndexMethods;

/** What the worker is started with. */
export interface WorkerStart {
  readonly vault: Vault;
  readonly cache: string | undefined;
}

export type ToWorker =
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly method: IndexMethod;
      readonly request: unknown;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'changed'; readonly paths: readonly string[] };

export type FromWorker =
  | {
      readonly kind: 'progress';
      readonly id: number;
      readonly done: number;
      readonly total: number;
    }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: WorkerError };

export interface WorkerError {
  /** Undefined for a failure nobody foresaw. */
  readonly code: VaultErrorCode | undefined;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
}
