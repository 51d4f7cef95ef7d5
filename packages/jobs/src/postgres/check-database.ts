import { JobsError } from '../jobs-error.ts';
import { Database, type DatabaseOptions, hasTablesSql } from './database.ts';
import { schemaVersion } from './schema-sql.ts';

/** What was found out about a database before anything is started. */
export interface DatabaseCheck {
  /** As PostgreSQL says it, for example `18.4`. */
  readonly serverVersion: string;
  readonly answersInMs: number;
  readonly tables: 'ready' | 'missing' | 'older' | 'newer';
  /** Whether this login can make the tables where they are missing, change older ones, and otherwise use them. */
  readonly hasRights: boolean;
  /** Connections that are not used by anybody at the moment. */
  readonly freeConnections: number;
  /** News reaches those who listen; not through a pooler, which makes waits a little longer. */
  readonly hearsNews: boolean;
}

/** Looks at a database without changing it; rejects when it cannot be reached. */
export async function checkDatabase(options: DatabaseOptions): Promise<DatabaseCheck> {
  await using database = new Database(options);
  // The pool would leave a connection open whose login fails on this side, until the server gives up.
  await (await database.connect(5_000)).end();
  await database.query('SELECT 1');
  const began = performance.now();
  await database.query('SELECT 1');
  const answersInMs = performance.now() - began;
  const [server] = await database.query(
    `SELECT current_setting('server_version') AS version,
       has_database_privilege(current_database(), 'CREATE') AS may_create,
       current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
         - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::integer AS free`,
  );
  const [tables] = await database.query(hasTablesSql, [database.channel]);
  const state = tables?.yes === true ? await tablesState(database) : 'missing';
  return {
    serverVersion: String(server?.version).split(' ')[0] ?? '',
    answersInMs,
    tables: state,
    hasRights:
      state === 'missing'
        ? server?.may_create === true
        : (await mayUse(database)) && (state !== 'older' || (await mayChange(database))),
    freeConnections: Number(server?.free),
    hearsNews: await hearsNews(database),
  };
}

async function tablesState(database: Database): Promise<'ready' | 'older' | 'newer'> {
  try {
    const [format] = await database.query('SELECT version FROM SPACE.format');
    const version = Number(format?.version);
    if (version === schemaVersion) return 'ready';
    return version > schemaVersion ? 'newer' : 'older';
  } catch (error) {
    if (error instanceof JobsError && error.code === 'database_rights') return 'ready';
    throw error;
  }
}

async function mayUse(database: Database): Promise<boolean> {
  const [rights] = await database.query(
    `SELECT bool_and(has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')) AS yes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname <> 'format'`,
    [database.channel],
  );
  const [schema] = await database.query("SELECT has_schema_privilege($1, 'USAGE') AS yes", [
    database.channel,
  ]);
  return rights?.yes === true && schema?.yes === true;
}

/** Functions are replaced by their owner only. */
async function mayChange(database: Database): Promise<boolean> {
  const [functions] = await database.query(
    `SELECT bool_and(pg_has_role(p.proowner, 'USAGE')) AS yes
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1`,
    [database.channel],
  );
  return functions?.yes === true;
}

async function hearsNews(database: Database): Promise<boolean> {
  const client = await database.connect(2_000);
  try {
    const heard = new Promise<boolean>((resolve) => {
      client.once('notification', () => resolve(true));
      setTimeout(() => resolve(false), 1_000).unref();
    });
    await client.query(`LISTEN "${database.channel} check"`);
    await database.query('SELECT pg_notify($1, $2)', [`${database.channel} check`, '']);
    return await heard;
  } finally {
    await client.end().catch(() => undefined);
  }
}
