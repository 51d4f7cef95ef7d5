import type { Notifier } from '@errand/host';
import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import { IssuerError } from './issuer-error.ts';
import { readIssuer } from './read-issuer.ts';

interface IssuerPorts {
  readonly issuer: string;
  readonly notifier: Notifier;
  readonly fetch?: typeof fetch;
  /** Milliseconds, on a clock that is never set back. */
  readonly now?: () => number;
}

/** Keys older than this are read again, while they go on being used. */
const freshMs = 10 * 60_000;
/** While the issuer does not answer, its last keys are used for this long. */
const staleMs = 60 * 60_000;
/** Tokens with unknown keys make us ask the issuer no more often than this. */
const pauseMs = 30_000;
/** An issuer that failed is asked again after this. */
const retryMs = 5_000;

/** The keys of an authorization server: kept, read again when they get old or a token names another, and never asked for in a storm. */
export class IssuerKeys {
  readonly #ports: IssuerPorts;
  readonly #now: () => number;
  #held: { readonly keys: LocalJWKSet; readonly text: string; readAt: number } | undefined;
  #reading: Promise<void> | undefined;
  #mayReadAt = Number.NEGATIVE_INFINITY;
  #failure: IssuerError | undefined;

  constructor(ports: IssuerPorts) {
    this.#ports = ports;
    this.#now = ports.now ?? (() => performance.now());
  }

  /** Why the keys could not be read the last time. */
  get failure(): IssuerError | undefined {
    return this.#failure;
  }

  /** The keys to check with; the same object until they change. Rejects with an `IssuerError` when there are none. */
  async current(): Promise<LocalJWKSet> {
    const age = this.#age();
    if (age > staleMs) await this.#read();
    else if (age > freshMs) void this.#read();
    if (this.#held !== undefined && this.#age() <= staleMs) return this.#held.keys;
    throw this.#failure ?? new IssuerError('unreachable', 'Its keys were not read yet.');
  }

  /** Other keys than these, after a token named one that is not among them; undefined when there are none, or it is too early to ask. */
  async newerThan(keys: LocalJWKSet): Promise<LocalJWKSet | undefined> {
    if (this.#held?.keys === keys) await this.#read();
    return this.#held?.keys === keys ? undefined : this.#held?.keys;
  }

  #age(): number {
    return this.#held === undefined ? Number.POSITIVE_INFINITY : this.#now() - this.#held.readAt;
  }

  #read(): Promise<void> {
    if (this.#reading === undefined && this.#now() < this.#mayReadAt) return Promise.resolve();
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<void> {
    const { issuer, notifier } = this.#ports;
    try {
      const set = await readIssuer(issuer, this.#ports.fetch);
      const text = JSON.stringify(set);
      const readAt = this.#now();
      if (this.#held?.text === text) this.#held.readAt = readAt;
      else this.#held = { keys: createLocalJWKSet(set), text, readAt };
      this.#failure = undefined;
      this.#mayReadAt = readAt + pauseMs;
    } catch (thrown) {
      // Whatever an issuer sends, nobody waits for a read in the background: it must not end the program.
      const error =
        thrown instanceof IssuerError
          ? thrown
          : new IssuerError('no_keys', `The keys of ${issuer} cannot be used.`, { cause: thrown });
      if (this.#failure === undefined) {
        const message =
          this.#held === undefined
            ? 'Nobody can log in: the keys of the authorization server cannot be read.'
            : 'The authorization server does not answer. Its last keys are used for an hour.';
        notifier.notify({ level: 'warning', message, detail: error.message });
      }
      this.#failure = error;
      this.#mayReadAt = this.#now() + retryMs;
    }
  }
}
