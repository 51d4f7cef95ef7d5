import type { ServerResponse } from 'node:http';
import { duration } from '@errand/document/display';
import type { ListenOptions, ScopeOf } from '@errand/gateway';
import type { GatewayClient, ReplicaDatabase } from '@errand/gateway/replica';
import { type Host, HostError, type Notifier } from '@errand/host';

/** A gateway that shares clients, sessions, limits and the stop switch with others. */
export interface GatewayReplica extends AsyncDisposable {
  readonly database: ReplicaDatabase;
  /** Why a call is not admitted. */
  readonly admit: (sessionId: string) => Promise<HostError | undefined>;
  readonly listenOptions: Pick<ListenOptions, 'clients' | 'shared' | 'routes'>;
  scope(ofNote: ScopeOf): ScopeOf;
  /** Lets a stop here reach the other replicas, and theirs reach the host. */
  follow(host: Host, closeSession: (name: string) => void): Disposable;
}

/** Opens what replicas share, in a PostgreSQL. */
export async function openReplica(url: string, notifier: Notifier): Promise<GatewayReplica> {
  const { CallQuota, clientOfSession, clientScope, ReplicaDatabase, sessionSeal } = await import(
    '@errand/gateway/replica'
  );
  let followed: { readonly host: Host; readonly closeSession: (name: string) => void } | undefined;
  const database = await openDatabase(ReplicaDatabase, {
    url,
    notifier,
    onStop: (isStopped) => {
      if (isStopped) followed?.host.stop();
      else followed?.host.resume();
    },
    onSessionEnded: (name) => followed?.closeSession(name),
  });
  const quota = new CallQuota(database.reserve);
  const tell = (error: unknown) => {
    const detail = error instanceof Error ? error.message : String(error);
    const message = 'The other replicas could not be told.';
    notifier.notify({ level: 'warning', message, detail });
  };
  return {
    database,
    async admit(sessionId) {
      const client = database.clientNamed(clientOfSession(sessionId) ?? '');
      if (client?.limit === undefined) return undefined;
      const { limit } = client;
      try {
        const refused = await quota.take(client.name, limit);
        if (refused === undefined) return undefined;
        const message = `The client "${client.name}" has made the ${limit.calls} calls that it may make in ${duration(limit.periodMs)}. It can call again in ${duration(refused.waitMs)}.`;
        return new HostError('session_limit', message, { limit: limit.calls });
      } catch (error) {
        const message = `Whether the client "${client.name}" may still call cannot be found out, because the database of the replicas does not answer. Try again.`;
        return new HostError('server_unavailable', message, {}, { cause: error });
      }
    },
    listenOptions: {
      clients: (token) => database.clientOf(token),
      shared: {
        seal: sessionSeal(database.key),
        hasEnded: (name) => database.hasEnded(name),
        onEnded: (name) => void database.endSession(name).catch(tell),
      },
      routes: statusRoutes(database),
    },
    scope: (ofNote) => clientScope((name) => database.clientNamed(name), ofNote),
    follow(host, closeSession) {
      followed = { host, closeSession };
      if (database.isStopped) host.stop();
      const unsubscribe = host.events.subscribe(({ kind }) => {
        if (kind === 'calls-stopped') void database.setStopped(true).catch(tell);
        if (kind === 'calls-resumed') void database.setStopped(false).catch(tell);
      });
      return { [Symbol.dispose]: unsubscribe };
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function openDatabase(
  Database: typeof ReplicaDatabase,
  ports: Parameters<typeof ReplicaDatabase.open>[0],
): Promise<ReplicaDatabase> {
  try {
    return await Database.open(ports);
  } catch (error) {
    const { databaseFailure } = await import('@errand/jobs/postgres');
    const { describeDatabaseFailure } = await import('./job-database.ts');
    const message = describeDatabaseFailure(databaseFailure(error));
    throw new HostError('settings_invalid', message, {}, { cause: error });
  }
}

function statusRoutes(database: ReplicaDatabase): NonNullable<ListenOptions['routes']> {
  const send = (
    response: ServerResponse,
    status: number,
    body: Readonly<Record<string, unknown>>,
  ) => {
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(`${JSON.stringify(body)}\n`);
  };
  const program = 'gateway';
  return {
    '/health': (response) => send(response, 200, { status: 'alive', program }),
    // Without the database it still serves the clients it knows.
    '/ready': (response) =>
      send(response, 200, {
        status: 'ready',
        program,
        ...(database.failure !== undefined && {
          // Why is in the log: anyone may ask here.
          warning: 'The database does not answer.',
        }),
      }),
  };
}

/** A client as a table shows it. */
export function describeClient({
  name,
  servers,
  tools,
  note,
  limit,
  logins,
}: GatewayClient): readonly string[] {
  return [
    name,
    servers === undefined ? 'all servers' : servers.join(', '),
    tools === undefined ? 'all tools' : tools.join(', '),
    note ?? '',
    limit === undefined ? '' : `${limit.calls} calls in ${duration(limit.periodMs)}`,
    logins === undefined
      ? 'token'
      : `logs in with ${logins.map(({ claim, value }) => `${claim}=${value}`).join(' or ')}`,
  ];
}
