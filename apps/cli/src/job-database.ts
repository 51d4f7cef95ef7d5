import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultNotice, HostError, type Notice } from '@errand/host';
import type { JobEngine, JobsError, JobsErrorCode, JobsOptions } from '@errand/jobs';
import type { PostgresJobs } from '@errand/jobs/postgres';
import type { ServicesOptions } from '@errand/services';
import { joinSentences } from '@errand/workspace/advice';
import { type Command, Option } from 'commander';
import { version } from './version.ts';

/** Where several programs share jobs. */
export interface JobDatabase {
  readonly url: string;
  readonly space: string;
}

export interface DatabaseFlags {
  readonly database?: string;
  readonly space?: string;
}

/** Adds the options that name a database for jobs. */
export function withDatabaseOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--database <url>', 'a PostgreSQL whose jobs several programs share').env(
        'ERRAND_DATABASE',
      ),
    )
    .addOption(
      new Option('--space <name>', 'programs with the same name share their jobs').env(
        'ERRAND_SPACE',
      ),
    );
}

/** The database that was named, with the jobs of this vault alone unless a space was named, too. */
export function jobDatabase(
  { database, space }: DatabaseFlags,
  folder: string,
): JobDatabase | undefined {
  if (database === undefined) return undefined;
  return { url: checkedUrl(database), space: space ?? ownSpace(folder) };
}

/** The same, where a command cannot do without. */
export function neededDatabase(flags: DatabaseFlags, folder: string): JobDatabase {
  const url = neededUrl(flags);
  return { url, space: flags.space ?? ownSpace(folder) };
}

export function neededUrl({ database }: DatabaseFlags): string {
  if (database !== undefined) return checkedUrl(database);
  const message =
    'Name the database with --database postgres://USER:PASSWORD@HOST/NAME, or in the environment as ERRAND_DATABASE.';
  throw new HostError('settings_invalid', message);
}

/** A folder on this machine; the same path on another machine is another vault. */
function ownSpace(folder: string): string {
  const place = `${hostname()}\n${realpathSync(folder)}`;
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 12);
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 24);
  return `${name}_${hash}`;
}

function checkedUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^postgres(ql)?:$/.test(url.protocol)) return text;
  // Not the text itself: it may hold a password.
  const message =
    'The database has to be an address such as postgres://USER:PASSWORD@HOST:5432/NAME.';
  throw new HostError('settings_invalid', message);
}

/** Opens the jobs of a database, and says what to do where that fails. */
export async function openDatabaseJobs(
  { url, space }: JobDatabase,
  options: JobsOptions,
): Promise<PostgresJobs> {
  const { PostgresJobs } = await import('@errand/jobs/postgres');
  const name = `errand ${version} on ${hostname()}, process ${process.pid}`;
  try {
    return await PostgresJobs.open({ url, space, name, ...options });
  } catch (error) {
    throw await databaseRefusal(error);
  }
}

/** Waits for a database that does not answer or refuses this program, until somebody has mended it, and says why. */
export async function reachDatabase(
  database: JobDatabase,
  options: JobsOptions,
  { notifier, onWaiting, signal }: WaitPorts,
): Promise<JobEngine> {
  const { JobsError } = await import('@errand/jobs');
  const { isMendable } = await import('@errand/jobs/postgres');
  const onFault = (error: unknown) =>
    void databaseRefusal(error).then((refusal) => notifier.notify(waitNotice(refusal)));
  let told: string | undefined;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, mostPauseMs)) {
    signal.throwIfAborted();
    try {
      const jobs = await openDatabaseJobs(database, { ...options, onFault });
      if (told !== undefined)
        notifier.notify({ level: 'info', message: 'The database answers. Jobs go on.' });
      return jobs;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (!(cause instanceof JobsError && isMendable(cause))) throw error;
      onWaiting(error);
      if (told !== cause.code) notifier.notify(waitNotice(error));
      told = cause.code;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** What a database refuses is for a person to mend, and no defect. */
function waitNotice(error: unknown): Notice {
  return error instanceof HostError && error.code === 'settings_invalid'
    ? { level: 'warning', message: 'Jobs wait.', detail: error.message }
    : faultNotice('Jobs wait', error);
}

type WaitPorts = Parameters<NonNullable<ServicesOptions['openSharedJobs']>>[1];

const firstPauseMs = 1_000;
/** A server that counts refused logins should not shut us out for good. */
const mostPauseMs = 10_000;

/** What went wrong with a database, and what to do about it. */
export async function databaseRefusal(error: unknown): Promise<unknown> {
  const { JobsError } = await import('@errand/jobs');
  if (!(error instanceof JobsError)) return error;
  return new HostError('settings_invalid', describeDatabaseFailure(error), {}, { cause: error });
}

export function describeDatabaseFailure({
  code,
  message,
}: Pick<JobsError, 'code' | 'message'>): string {
  const advice = advices[code];
  return joinSentences(message, advice === undefined ? [] : [advice]);
}

const advices: Readonly<Partial<Record<JobsErrorCode, string>>> = {
  database_unavailable:
    'Check that PostgreSQL runs and that its address and port are right. Nothing is lost: jobs go on when it is back.',
  database_busy:
    'Raise max_connections of PostgreSQL (a worker uses up to 5, a gateway 3), or run fewer programs.',
  database_full: 'Make room on the disk of PostgreSQL. Nothing is lost: jobs go on after that.',
  database_rights:
    'Let an administrator run: GRANT CREATE ON DATABASE name TO user; or have errand worker run once with a login that may create a schema.',
  database_login: 'Check the user, the password and the name of the database in the address.',
  newer_file: 'Update this program to the version that the other ones have.',
  moved_file:
    'Start programs on this vault with --database. If the move was interrupted, complete it with: errand jobs move --database URL',
  in_use: 'End the program that owns the vault first, for example: errand up.',
};
