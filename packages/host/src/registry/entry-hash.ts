import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { ServerConfig } from '../settings.ts';
import { sortedJson } from '../text/sorted-json.ts';

/** A hash of what decides whether a running connection still fits its entry; names and limits do not. */
export function entryHash(server: ServerConfig): string {
  const { transport, deploymentType, localConfig, dockerConfig, httpConfig, sseConfig, era } =
    server;
  const parts = [transport, deploymentType, localConfig, dockerConfig, httpConfig, sseConfig, era];
  return bytesToHex(sha256(utf8ToBytes(sortedJson(parts)))).slice(0, 32);
}
