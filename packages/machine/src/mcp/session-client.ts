import { HostError } from '@errand/host';
import { raceSignal } from '@errand/wire';
import type { Client } from '@modelcontextprotocol/client';
import { SessionLost } from './http/session-lost.ts';
import { toHostError } from './to-host-error.ts';

interface SessionClientOptions {
  /** Does the handshake again, where servers forget sessions. */
  readonly reopen?: (signal: AbortSignal) => Promise<Client>;
  readonly onReopened: () => void;
}

const reopenMs = 10_000;

/** How often one request is repeated because the server forgot its session. */
const maxSessions = 3;

/**
 * The SDK client of a connection. When the server forgets the session a new client takes its place, and the old
 * one is closed as soon as the requests on it have ended: they may still be answered.
 */
export class SessionClient {
  readonly #server: string;
  readonly #options: SessionClientOptions;
  /** How many requests run on each client that is open. */
  readonly #running = new Map<Client, number>();
  #current: Client;
  #reopening: Promise<void> | undefined;
  #isClosed = false;

  constructor(server: string, client: Client, options: SessionClientOptions) {
    this.#server = server;
    this.#current = client;
    this.#options = options;
    this.#running.set(client, 0);
  }

  get current(): Client {
    return this.#current;
  }

  /** Makes a request, and makes it again in a new session when the server refused it for an unknown one. */
  async request<Result>(
    send: (client: Client) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    for (let session = 1; ; session += 1) {
      const client = this.#current;
      try {
        return await this.#counted(client, send);
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error;
        if (session === maxSessions) throw keepsForgetting(this.#server, error);
        await this.#reopen(client, signal);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.keys()].map((client) => client.close()));
  }

  async #counted<Result>(client: Client, send: (client: Client) => Promise<Result>) {
    this.#count(client, 1);
    try {
      return await send(client);
    } finally {
      this.#count(client, -1);
      this.#closeIfDone(client);
    }
  }

  #count(client: Client, change: 1 | -1): void {
    this.#running.set(client, (this.#running.get(client) ?? 0) + change);
  }

  #closeIfDone(client: Client): void {
    if (client === this.#current || this.#running.get(client) !== 0) return;
    this.#running.delete(client);
    client.close().catch(() => undefined);
  }

  /** Once for all requests that wait for it; none of them was carried out. */
  async #reopen(stale: Client, signal: AbortSignal): Promise<void> {
    const { reopen } = this.#options;
    if (reopen === undefined || this.#current !== stale) return;
    this.#reopening ??= this.#replace(stale, reopen).finally(() => {
      this.#reopening = undefined;
    });
    try {
      await raceSignal(this.#reopening, signal);
    } catch (error) {
      const failure = toHostError(error, { server: this.#server, signal });
      throw failure.withFacts({ neverSent: true }, error);
    }
  }

  async #replace(stale: Client, reopen: (signal: AbortSignal) => Promise<Client>): Promise<void> {
    const client = await reopen(AbortSignal.timeout(reopenMs));
    this.#running.set(client, 0);
    this.#current = client;
    this.#closeIfDone(stale);
    if (this.#isClosed) await client.close();
    else this.#options.onReopened();
  }
}

function keepsForgetting(server: string, cause: SessionLost): HostError {
  return new HostError(
    'server_unavailable',
    `Server "${server}" forgets every session as soon as it has given it out.`,
    // Not `neverSent`: a server that answers 404 three times may have carried the call out all the same.
    { server },
    { cause, advice: [{ kind: 'test-server', server }] },
  );
}
