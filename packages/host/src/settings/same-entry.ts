import type { ServerConfig } from '../settings.ts';
import { canonicalJson } from './canonical-json.ts';

/** True when two entries differ at most in what the running host writes into them. */
export function sameEntry(a: ServerConfig, b: ServerConfig): boolean {
  return canonicalJson(writtenByPeople(a)) === canonicalJson(writtenByPeople(b));
}

function writtenByPeople(server: ServerConfig) {
  const { lastConnectedAt, failureCount, autoDisabled, ...entry } = server;
  return entry;
}
