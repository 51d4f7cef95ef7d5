import type { BitbucketApi } from './api/bitbucket-api.ts';
import type { ErrorFacts } from './api/bitbucket-error.ts';

/** What the tools of one installation share. */
export interface BitbucketContext {
  readonly api: BitbucketApi;
  readonly facts: ErrorFacts;
  /** The project or workspace of repositories that are named without one. */
  readonly defaultOwner: string | undefined;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Hears of every failure that a tool reports. */
  failed(error: unknown): void;
}
