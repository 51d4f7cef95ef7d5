import { oneLine } from '../text/one-line.ts';
import { parseUrl } from '../text/parse-url.ts';
import { hashJson } from '../text/sorted-json.ts';
import type { TrustClaim } from './open-trust.ts';

/** The fields of an assistant that decide where a conversation and a key are sent. */
export interface AssistantEntry {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl?: string;
  readonly key?: string;
}

/** What needs approval before an assistant is used; undefined when nothing leaves this machine. */
export function assistantClaim({
  name,
  provider,
  baseUrl,
  key,
}: AssistantEntry): TrustClaim | undefined {
  if (key === undefined && baseUrl !== undefined && isThisMachine(baseUrl)) return undefined;
  const parts = { provider, baseUrl, key };
  const what = key === undefined ? 'what you ask' : `what you ask, and ${key},`;
  return {
    // The ids of servers have no colon.
    id: `assistant:${name.toLowerCase()}`,
    fingerprint: hashJson(parts),
    subject: `Assistant "${name}"`,
    does: oneLine(`send ${what} to ${baseUrl ?? provider}`),
    facts: {},
  };
}

function isThisMachine(url: string): boolean {
  const hostname = parseUrl(url)?.hostname ?? '';
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
