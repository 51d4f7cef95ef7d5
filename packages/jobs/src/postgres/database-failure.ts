import { JobsError, type JobsErrorCode } from '../jobs-error.ts';

/** What a failure of PostgreSQL means for jobs, and whether asking again later may help. */
export function databaseFailure(error: unknown): JobsError {
  if (error instanceof JobsError) return error;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  // The client notices by itself that it was given no password, and says so in words of the protocol.
  if (code === undefined && /^SASL: .*client password/.test(message)) {
    return new JobsError(...noPassword, { cause: error });
  }
  const known = meanings.find(([, , codes]) => codes.test(code ?? ''));
  const [kind, sentence] = known ?? (isFromClient(error, code) ? unavailable : failed);
  return new JobsError(kind, `${sentence}: ${message || code}`, { cause: error });
}

/** Whether the same may succeed once the database is well again. */
export function isPassing(failure: JobsError): boolean {
  return passing.has(failure.code);
}

/** Whether the same may succeed once the database is well again, or a person has given a login or a right back. */
export function isMendable(failure: JobsError): boolean {
  return isPassing(failure) || mendable.has(failure.code);
}

const mendable: ReadonlySet<JobsErrorCode> = new Set(['database_login', 'database_rights']);

const passing: ReadonlySet<JobsErrorCode> = new Set([
  'database_unavailable',
  'database_busy',
  'database_full',
]);

const unavailable = ['database_unavailable', 'The database does not answer'] as const;
const noPassword = [
  'database_login',
  'The database refused the login: it asks for a password, and none was given',
] as const;
const failed = ['database_failed', 'The database refused what it was asked'] as const;

const meanings: readonly (readonly [JobsErrorCode, string, RegExp])[] = [
  ['database_busy', 'The database has no connection left', /^53300$/],
  ['database_full', 'The database has no room left', /^53(?!300)/],
  ['database_rights', 'The database does not allow it', /^42501$/],
  ['database_login', 'The database refused the login', /^28|^3D000$/],
  // Shut down or starting, read-only after a failover, or two writers in each other's way.
  [...unavailable, /^08|^57P0|^25006$|^40/],
];

/** Sockets have codes such as ECONNRESET; the client reports the end of a connection and its own deadlines without one. */
function isFromClient(error: unknown, code: string | undefined): boolean {
  if (code !== undefined) return /^E[A-Z]+$/.test(code);
  return error instanceof Error && error.constructor === Error;
}
