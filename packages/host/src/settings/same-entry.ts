import type { ServerConfig } from '../settings.ts';
import { sortedJson } from '../text/sorted-json.ts';

/** True when two entries differ at most in what the running host writes into them. */
export function sameEntry(a: ServerConfig, b: ServerConfig): boolean {
  return sortedJson(writtenByPeople(a)) === sortedJson(writtenByPeople(b));
}

function writtenByPeople(server: ServerConfig) {
  const { lastConnectedAt, failureCount, autoDisabled, ...entry } = server;
  return entry;
}
