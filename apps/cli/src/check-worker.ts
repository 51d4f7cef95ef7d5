import type { DatabaseCheck } from '@errand/jobs/postgres';
import type { CheckedPoint } from './checked-points.ts';
import { databaseRefusal, type JobDatabase } from './job-database.ts';

/** Connections that one worker opens: four for its work, one that listens. */
const connectionsPerWorker = 5;

/** Looks at a database as a worker would need it. */
export async function checkWorkerDatabase({
  url,
  space,
}: JobDatabase): Promise<readonly CheckedPoint[]> {
  const { checkDatabase } = await import('@errand/jobs/postgres');
  try {
    return pointsOf(await checkDatabase({ url, space }), space);
  } catch (error) {
    const refusal = await databaseRefusal(error);
    return [
      {
        point: 'database',
        isFine: false,
        detail: refusal instanceof Error ? refusal.message : String(refusal),
      },
    ];
  }
}

function pointsOf(check: DatabaseCheck, space: string): readonly CheckedPoint[] {
  const { serverVersion, answersInMs, tables, hasRights, freeConnections, hearsNews } = check;
  return [
    {
      point: 'database',
      isFine: true,
      detail: `PostgreSQL ${serverVersion} answers in ${answersInMs.toFixed(1)} ms.`,
    },
    {
      point: 'tables',
      isFine: tables !== 'newer',
      detail: {
        ready: `The space ${space} is there.`,
        missing: `The space ${space} is made by the first program that starts.`,
        older: `The space ${space} was made by an older version. The first program that starts brings it up to date.`,
        newer: `The space ${space} was made by a newer version. Update this program.`,
      }[tables],
    },
    {
      point: 'rights',
      isFine: hasRights,
      detail: hasRights
        ? 'This login may do what is needed.'
        : tables === 'missing'
          ? 'This login may not make the tables. Let an administrator run: GRANT CREATE ON DATABASE name TO user;'
          : tables === 'older'
            ? 'This login may not bring the tables up to date. Let the login that made them start a program of this version once.'
            : 'This login may not use the tables. Use the login that made them, or grant it USAGE on the schema and all rights on its tables.',
    },
    {
      point: 'connections',
      isFine: freeConnections >= connectionsPerWorker,
      detail: `${freeConnections} connections are free, a worker uses up to ${connectionsPerWorker}.${freeConnections >= connectionsPerWorker ? '' : ' Raise max_connections of PostgreSQL, or run fewer programs.'}`,
    },
    {
      point: 'news',
      // It works without, a little later.
      isFine: true,
      detail: hearsNews
        ? 'News arrives at once.'
        : 'News does not arrive, as behind a pooler. Jobs begin up to 2 s later; a direct connection avoids that.',
    },
  ];
}
