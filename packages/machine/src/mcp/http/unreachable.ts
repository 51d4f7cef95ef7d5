import { HostError } from '@errand/host';

/** The failure of a request that got no answer. */
export function unreachable(
  server: string,
  url: URL,
  error: NodeJS.ErrnoException,
  neverSent: boolean,
): HostError {
  const isPassing = neverSent && isOffline(error, url);
  return new HostError(
    'server_unavailable',
    neverSent
      ? `Server "${server}" cannot be reached at ${url.origin}: ${reasonFor(error)}`
      : `${whatHappened(server, error)} It is not known whether the request took effect.`,
    { server, ...(neverSent && { neverSent }), ...(isPassing && { isPassing }) },
    { cause: error },
  );
}

/** What the system says when this machine has no network, or no way to the other one. */
const offline: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENONET',
  'ENOTFOUND',
]);

/** Whether the network is missing, which is not the server's fault; this machine itself is always there. */
function isOffline(error: NodeJS.ErrnoException, { hostname }: URL): boolean {
  if (/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname)) return false;
  return codesOf(error).some((code) => offline.has(code));
}

/** A name with several addresses fails with one error for each. */
function codesOf(error: NodeJS.ErrnoException): readonly string[] {
  const errors = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return errors.map((one) => (one as NodeJS.ErrnoException).code ?? '');
}

function whatHappened(server: string, { code, message }: NodeJS.ErrnoException): string {
  return code?.startsWith('HPE_')
    ? `Server "${server}" answered with something that is not HTTP (${message}). Check its "url" in the settings.`
    : `The connection to server "${server}" was cut before it answered (${code ?? message}).`;
}

function reasonFor(error: NodeJS.ErrnoException): string {
  const [code] = codesOf(error);
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there. Start it, or correct its "url" in the settings.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name could not be resolved. Check the network, and its "url" in the settings.';
    default:
      return `${error.message || code}. Check the network, and its "url" in the settings.`;
  }
}
