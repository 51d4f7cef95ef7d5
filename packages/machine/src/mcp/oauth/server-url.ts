import type { ServerConfig } from '@errand/host';
import { HostError } from '@errand/host';

/** The address of a remote server. */
export function serverUrl(server: ServerConfig): string {
  const url = (server.transport === 'sse' ? server.sseConfig : server.httpConfig)?.url;
  if (url !== undefined && URL.canParse(url)) return url;
  throw new HostError(
    'settings_invalid',
    `Server "${server.name}" is not reached by an address, so there is nothing to log in to.`,
    { server: server.name },
  );
}
