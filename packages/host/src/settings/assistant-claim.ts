import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { sortedJson } from '../sorted-json.ts';
import type { TrustClaim } from './open-trust.ts';

/** What of an entry of `assistants` decides where a conversation and a key go. */
export interface AssistantEntry {
  readonly name: string;
  readonly provider: string;
  readonly baseUrl?: string;
  readonly key?: string;
}

/** What an assistant sends, and to where; undefined when nothing leaves this machine. */
export function describeAssistant({ provider, baseUrl, key }: AssistantEntry): string | undefined {
  if (key === undefined && baseUrl !== undefined && isThisMachine(baseUrl)) return undefined;
  return `what you ask${key === undefined ? '' : `, and ${key},`} to ${baseUrl ?? provider}`;
}

/** What a person has to agree to before an assistant is used, if anything. */
export function assistantClaim(assistant: AssistantEntry): TrustClaim | undefined {
  const what = describeAssistant(assistant);
  if (what === undefined) return undefined;
  const { name, provider, baseUrl, key } = assistant;
  const parts = { provider, baseUrl, key };
  return {
    // The ids of servers have no colon.
    id: `assistant:${name.toLowerCase()}`,
    fingerprint: bytesToHex(sha256(utf8ToBytes(sortedJson(parts)))),
    subject: `Assistant "${name}"`,
    does: `send ${what}`,
    facts: {},
  };
}

function isThisMachine(url: string): boolean {
  const hostname = URL.parse(url)?.hostname ?? '';
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
