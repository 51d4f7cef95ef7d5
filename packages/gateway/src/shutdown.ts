import { HostError } from '@errand/host';
import { type RpcError, rpcCode } from '@errand/wire';

/** Why requests are ended when the gateway leaves: unlike a cancelled one, they are answered. */
export const shutdown = new HostError('stopped', 'Errand is shutting down.');

/** The answer to a call that was under way. */
export const callEnded: RpcError = {
  code: rpcCode.serverError,
  message: `${shutdown.message} The call was ended; it may have taken effect.`,
};

/** How long answers under way may take to leave, in milliseconds. */
export const graceMs = 500;
