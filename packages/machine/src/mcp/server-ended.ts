import { HostError, type HostErrorCode } from '@errand/host';

/** How a server that we started ended. */
interface ServerEnd {
  readonly server: string;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly lastOutput: string;
}

/** The failure of a process or container that exited by itself. */
export function serverEnded(
  code: HostErrorCode,
  { server, exitCode, signal, lastOutput }: ServerEnd,
): HostError {
  return new HostError(
    code,
    `Server "${server}" ${howItEnded(exitCode, signal)}.`,
    { server, lastOutput, ...(exitCode !== undefined && { exitCode }) },
    { advice: [{ kind: 'test-server', server }] },
  );
}

function howItEnded(exitCode?: number, signal?: string): string {
  if (signal !== undefined) return `was ended by ${signal}`;
  return exitCode === undefined ? 'closed its output' : `exited with code ${exitCode}`;
}
