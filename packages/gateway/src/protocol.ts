import { isRecord, notificationLine } from '@errand/wire';
/** The revisions that begin with `initialize`. */
export const legacyVersions: readonly string[] = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
];

const latestLegacyVersion = '2025-11-25';

/** The revision an older client is spoken to in: the one it asked for, or our latest. */
export function agreedVersion(asked: unknown): string {
  return legacyVersions.find((version) => version === asked) ?? latestLegacyVersion;
}

/** The revisions whose requests each carry their version. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** Keys of `_meta` that the specification reserves, and our own. */
export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  /** How many gateways a call, or a tool's description, has passed. */
  hops: 'errand/hops',
  /** Why a call failed before or beside its tool: a `HostErrorCode`. */
  code: 'errand/code',
  /** Why a listed tool cannot be called now: an `UnavailableState`. */
  state: 'errand/state',
} as const;

/** Notifications sent to clients of the older era without a subscription. */
export const listChanged = {
  tools: notificationLine('notifications/tools/list_changed'),
  resources: notificationLine('notifications/resources/list_changed'),
  prompts: notificationLine('notifications/prompts/list_changed'),
} as const;

/** A list that a client can be told the change of. */
export type ChangingList = keyof typeof listChanged;

/** Who the gateway says it is. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/** The session that the executor counts a client's calls under (D6). */
export function sessionName(clientInfo: unknown, suffix = ''): string {
  const name = isRecord(clientInfo) ? clientInfo.name : undefined;
  return `gateway:${typeof name === 'string' ? name.slice(0, 64) : 'client'}${suffix}`;
}
