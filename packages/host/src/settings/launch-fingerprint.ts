import type { ServerConfig } from '../settings.ts';
import { hashJson } from '../text/sorted-json.ts';

/**
 * A hash of everything in an entry that decides what runs, what it may touch and where data goes.
 * A model that may call tools without asking, and which tools there are at all, are such things too.
 */
export function launchFingerprint(server: ServerConfig): string {
  const { deploymentType, transport, localConfig, dockerConfig, httpConfig, sseConfig } = server;
  const parts = {
    deploymentType,
    transport,
    localConfig,
    dockerConfig,
    httpConfig,
    sseConfig,
    allowsModels: server.approval === 'allow',
    tools: server.tools,
  };
  return hashJson(parts);
}
