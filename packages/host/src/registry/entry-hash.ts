import type { ServerConfig } from '../settings.ts';
import { hashJson } from '../text/sorted-json.ts';

/** A hash of what decides whether a running connection still fits its entry; names and limits do not. */
export function entryHash(server: ServerConfig): string {
  const { transport, deploymentType, localConfig, dockerConfig, httpConfig, sseConfig, era } =
    server;
  const parts = [transport, deploymentType, localConfig, dockerConfig, httpConfig, sseConfig, era];
  return hashJson(parts).slice(0, 32);
}
