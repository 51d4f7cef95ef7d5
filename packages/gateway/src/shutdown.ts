import { HostError } from '@errand/host';
import { type RpcError, rpcCode } from '@errand/wire';

/** The abort reason of requests at shutdown: unlike cancelled requests, they are answered. */
export const shutdown = new HostError('stopped', 'Errand is shutting down.');

/** The response to a call that was running at shutdown. */
export const callEnded: RpcError = {
  code: rpcCode.serverError,
  message: `${shutdown.message} The call was ended; it may have taken effect.`,
};

/** How long pending responses may take to be sent at shutdown, in milliseconds. */
export const graceMs = 500;
