import { fixedError } from '../fixed-error.ts';
import type { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';

/** Why a server that is switched off takes no calls; `reason` is what it was given up for. */
export function disabledError({ name, autoDisabled }: ServerConfig, reason?: HostError): HostError {
  const isGivenUp = autoDisabled || reason !== undefined;
  const last = reason ? ` The last one: ${reason.message}` : '';
  return fixedError('server_disabled', {
    server: name,
    neverSent: true,
    ...(isGivenUp && { detail: `It was auto-disabled after repeated failures.${last}` }),
  });
}
