import { describeFault, HostError } from '@errand/host';

/** Why a connection cannot go on after a handler threw: its own reason, or a defect of ours. */
export function defectError(cause: unknown, server: string): HostError {
  if (cause instanceof HostError) return cause;
  const message = `The connection to server "${server}" was ended by a defect of Errand (${describeFault(cause)}). Please report it.`;
  return new HostError('server_unavailable', message, { server }, { cause });
}
