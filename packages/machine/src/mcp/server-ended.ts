import { HostError, type HostErrorCode, testAdvice } from '@errand/host';

/** How a server that we started came to its end. */
export interface ServerEnd {
  readonly server: string;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly lastWords: string;
}

/** The failure of a server that ended by itself, in the same words for a process and for a container. */
export function serverEnded(
  code: HostErrorCode,
  { server, exitCode, signal, lastWords }: ServerEnd,
): HostError {
  const isOver = exitCode !== undefined || signal !== undefined;
  const how = signal ?? `exit code ${exitCode}`;
  const what = isOver ? `ended by itself (${how})` : 'closed its output';
  return new HostError(code, `Server "${server}" ${what}. ${testAdvice(server)}`, {
    server,
    lastWords,
    ...(exitCode !== undefined && { exitCode }),
  });
}
