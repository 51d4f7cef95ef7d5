import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';

/** Why a server that is switched off takes no calls; `reason` is what it was given up for. */
export function disabledError({ name, autoDisabled }: ServerConfig, reason?: HostError): HostError {
  const why = autoDisabled || reason ? ' It was auto-disabled after repeated failures.' : '';
  const last = reason ? ` The last one: ${reason.message}` : '';
  return new HostError(
    'server_disabled',
    `Server ${name} is disabled.${why}${last} Enable it with: errand servers enable ${name}`,
    { server: name, neverSent: true },
  );
}
