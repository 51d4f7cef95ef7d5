import { createHash, randomBytes } from 'node:crypto';
import type { Notifier } from '@errand/host';
import pg from 'pg';
import type { ReserveCalls } from './call-quota.ts';
import type { GatewayClient } from './gateway-client.ts';

interface ReplicaPorts {
  readonly url: string;
  readonly notifier: Notifier;
  /** Calls were stopped, or allowed again, at another replica. */
  readonly onStop: (isStopped: boolean) => void;
  /** Sessions that were ended at another replica, by their names. */
  readonly onSessionEnded: (name: string) => void;
}

const schema = 'errand_gateway';
const refreshMs = 15_000;

/** What replicas of a gateway share: a key, the clients and what they used, ended sessions, and whether calls are stopped. */
export class ReplicaDatabase implements AsyncDisposable {
  readonly #ports: ReplicaPorts;
  readonly #pool: pg.Pool;
  readonly #byToken = new Map<string, GatewayClient>();
  readonly #byName = new Map<string, GatewayClient>();
  readonly #hashes = new Map<string, string>();
  /** Sessions that were ended, and when, in milliseconds. */
  readonly #ended = new Map<string, number>();
  readonly #closing = new AbortController();
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #key = Buffer.alloc(0);
  #isStopped = false;
  /** An own change of the stop switch that the database does not have yet. */
  #wanted: boolean | undefined;
  /** The reading that is under way, and the one that follows it. */
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: string | undefined;

  private constructor(ports: ReplicaPorts) {
    this.#ports = ports;
    this.#pool = new pg.Pool({ ...connection(ports.url), max: 2 });
    this.#pool.on('error', () => undefined);
  }

  static async open(ports: ReplicaPorts): Promise<ReplicaDatabase> {
    const database = new ReplicaDatabase(ports);
    try {
      await database.#prepare();
      await database.#refresh();
      database.#timer = setInterval(() => void database.#refreshOrTell(), refreshMs).unref();
      await database.#listen();
      return database;
    } catch (error) {
      await database[Symbol.asyncDispose]();
      throw error;
    }
  }

  get key(): Buffer {
    return this.#key;
  }

  /** What is wrong with the database at the moment; known clients are served meanwhile. */
  get failure(): string | undefined {
    return this.#failure;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  clientOf(token: string): GatewayClient | undefined {
    let hash = this.#hashes.get(token);
    if (hash === undefined) {
      hash = hashOf(token);
      if (this.#hashes.size > 10_000) this.#hashes.clear();
      if (this.#byToken.has(hash)) this.#hashes.set(token, hash);
    }
    return this.#byToken.get(hash);
  }

  clientNamed(name: string): GatewayClient | undefined {
    return this.#byName.get(name);
  }

  clients(): readonly GatewayClient[] {
    return [...this.#byName.values()];
  }

  /** Adds a client, or changes it and its token; answers with the token, which is kept nowhere. */
  async addClient(client: GatewayClient): Promise<string> {
    const token = `egw_${randomBytes(24).toString('base64url')}`;
    await this.#pool.query(
      `INSERT INTO ${schema}.clients (name, token_hash, entry) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET token_hash = $2, entry = $3`,
      [client.name, hashOf(token), JSON.stringify(client)],
    );
    await this.#notify('clients');
    await this.#refresh();
    return token;
  }

  async removeClient(name: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(`DELETE FROM ${schema}.clients WHERE name = $1`, [
      name,
    ]);
    await this.#notify('clients');
    await this.#refresh();
    return rowCount === 1;
  }

  /** Tells all replicas that calls are stopped, or run again; what could not be stored is tried again at every reading. */
  async setStopped(isStopped: boolean): Promise<void> {
    if (this.#isStopped === isStopped) return;
    this.#isStopped = isStopped;
    this.#wanted = isStopped;
    await this.#refresh();
  }

  /** Whether a session was ended at any replica. */
  hasEnded(name: string): boolean {
    return this.#ended.has(name);
  }

  async endSession(name: string): Promise<void> {
    this.#ended.set(name, Date.now());
    await this.#pool.query(
      `INSERT INTO ${schema}.ended_sessions VALUES ($1, now()) ON CONFLICT DO NOTHING`,
      [name],
    );
    await this.#notify(`ended ${name}`);
  }

  readonly reserve: ReserveCalls = async (client, { calls, periodMs }, wanted) => {
    const { rows } = await this.#pool.query(`SELECT * FROM ${schema}.reserve($1, $2, $3, $4)`, [
      client,
      calls,
      periodMs,
      wanted,
    ]);
    return { granted: Number(rows[0].granted), endsInMs: Number(rows[0].ends_in) };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#timer);
    await this.#listener?.end().catch(() => undefined);
    await this.#pool.end().catch(() => undefined);
  }

  async #prepare(): Promise<void> {
    const client = new pg.Client(connection(this.#ports.url));
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('BEGIN');
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended('errand_gateway', 2))");
      await client.query(tables);
      await client.query(
        `INSERT INTO ${schema}.state (key) SELECT $1 WHERE NOT EXISTS (SELECT FROM ${schema}.state)`,
        [randomBytes(32)],
      );
      await client.query('COMMIT');
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #refreshOrTell(): Promise<void> {
    try {
      await this.#refresh();
      if (this.#listener === undefined && !this.#closing.signal.aborted) await this.#listen();
      this.#failure = undefined;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      if (this.#failure === undefined && !this.#closing.signal.aborted) {
        const message =
          'The database of the replicas does not answer. Known clients are served meanwhile.';
        this.#ports.notifier.notify({ level: 'warning', message, detail });
      }
      this.#failure = detail;
    }
  }

  /** Reads what is shared, one reading after the other: an older one must not end after a newer one. */
  #refresh(): Promise<void> {
    this.#next ??= (async () => {
      await this.#reading.catch(() => undefined);
      this.#next = undefined;
      this.#reading = this.#read();
      await this.#reading;
    })();
    return this.#next;
  }

  async #read(): Promise<void> {
    const failure = await this.#storeSwitch().catch((error: Error) => error);
    const state = await this.#pool.query(`SELECT key, is_stopped FROM ${schema}.state`);
    this.#key = state.rows[0].key;
    const { rows } = await this.#pool.query(`SELECT token_hash, entry FROM ${schema}.clients`);
    this.#byToken.clear();
    this.#byName.clear();
    for (const { token_hash, entry } of rows) {
      this.#byToken.set(token_hash, entry);
      this.#byName.set(entry.name, entry);
    }
    await this.#pool.query(forgetEnded);
    for (const [name, at] of this.#ended)
      if (at < Date.now() - endedForMs) this.#ended.delete(name);
    const ended = await this.#pool.query(`SELECT name, ended_at FROM ${schema}.ended_sessions`);
    for (const { name, ended_at } of ended.rows) this.#ended.set(name, ended_at.getTime());
    const isStopped = state.rows[0].is_stopped === true;
    // What was read is older than an own change that is not stored yet.
    if (this.#wanted === undefined && isStopped !== this.#isStopped) {
      this.#isStopped = isStopped;
      this.#ports.onStop(isStopped);
    }
    if (failure !== undefined) throw failure;
  }

  async #storeSwitch(): Promise<undefined> {
    const wanted = this.#wanted;
    if (wanted === undefined) return;
    await this.#pool.query(`UPDATE ${schema}.state SET is_stopped = $1`, [wanted]);
    if (this.#wanted === wanted) this.#wanted = undefined;
    await this.#notify('state');
  }

  async #listen(): Promise<void> {
    const listener = new pg.Client(connection(this.#ports.url));
    listener.on('error', () => undefined);
    listener.on('end', () => {
      if (this.#listener === listener) this.#listener = undefined;
      if (!this.#closing.signal.aborted) setTimeout(() => void this.#refreshOrTell(), 500).unref();
    });
    listener.on('notification', ({ payload = '' }) => {
      if (payload.startsWith('ended ')) this.#heardEnd(payload.slice('ended '.length));
      else void this.#refreshOrTell();
    });
    await listener.connect();
    await listener.query(`LISTEN ${schema}`);
    // Closed meanwhile: an open connection would keep the program from ending.
    if (this.#closing.signal.aborted) await listener.end();
    else this.#listener = listener;
  }

  #heardEnd(name: string): void {
    this.#ended.set(name, Date.now());
    this.#ports.onSessionEnded(name);
  }

  async #notify(news: string): Promise<void> {
    await this.#pool.query('SELECT pg_notify($1, $2)', [schema, news]);
  }
}

function connection(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'errand-gateway',
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    keepAlive: true,
  };
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Ids of sessions are valid for seven days; one more is for clocks that differ. */
const endedForMs = 8 * 24 * 3600 * 1000;
const forgetEnded = `DELETE FROM ${schema}.ended_sessions WHERE ended_at < now() - ${endedForMs} * interval '1 millisecond'`;

const tables = `
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE TABLE IF NOT EXISTS ${schema}.state (key bytea NOT NULL, is_stopped boolean NOT NULL DEFAULT false);
CREATE TABLE IF NOT EXISTS ${schema}.clients (name text PRIMARY KEY, token_hash text NOT NULL UNIQUE, entry json NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.ended_sessions (name text PRIMARY KEY, ended_at timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.used (client text PRIMARY KEY, began timestamptz NOT NULL, calls bigint NOT NULL);
CREATE OR REPLACE FUNCTION ${schema}.reserve(the_client text, most bigint, period_ms bigint, wanted bigint)
RETURNS TABLE (granted bigint, ends_in bigint) LANGUAGE plpgsql AS $$
DECLARE row record; length interval := period_ms * interval '1 millisecond';
BEGIN
  INSERT INTO ${schema}.used VALUES (the_client, clock_timestamp(), 0) ON CONFLICT DO NOTHING;
  SELECT * INTO row FROM ${schema}.used WHERE client = the_client FOR UPDATE;
  IF row.began + length <= clock_timestamp() THEN row.began := clock_timestamp(); row.calls := 0; END IF;
  granted := greatest(0, least(wanted, most - row.calls));
  UPDATE ${schema}.used SET began = row.began, calls = row.calls + granted WHERE client = the_client;
  ends_in := greatest(1, extract(epoch FROM row.began + length - clock_timestamp()) * 1000)::bigint;
  RETURN NEXT;
END $$;
`;
