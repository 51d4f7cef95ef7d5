import { describeFault, HostError } from '@errand/host';

/** The failure of a connection whose handler threw: the `HostError` it threw, or a defect. */
export function defectError(cause: unknown, server: string): HostError {
  if (cause instanceof HostError) return cause;
  const message = `The connection to server "${server}" was ended by a defect of Errand (${describeFault(cause)}). Please report it.`;
  return new HostError('server_unavailable', message, { server }, { cause });
}
