import type { Host, ServerSnapshot, ToolDescription } from '@errand/host';
import {
  type JSONSchema,
  MCP_DISCOVERY_CACHE_TTL,
  type MCPServer,
  type MCPTool,
  type ServerStatus,
} from './mcp-contract.ts';

/** What of a host discovery looks at. */
export type DiscoveryHost = {
  readonly servers: Pick<Host['servers'], 'snapshots' | 'snapshot' | 'tools' | 'lastTools'>;
};

/**
 * The servers of a host with their tools. Servers that are enabled and agreed to are started to be asked; one that
 * does not answer in time is listed with the tools it had last. Tools have whatever names their servers give them.
 */
export async function discoverServers(
  { servers }: DiscoveryHost,
  { signal, now = Date.now, patience = 5_000 }: DiscoveryOptions = {},
): Promise<MCPServer[]> {
  const deadline = AbortSignal.timeout(patience);
  const within = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  const found = servers.snapshots().map(async ({ config: { id }, enabled, trust }) => {
    const last = () => [...(servers.lastTools(id)?.values() ?? [])];
    const mayAsk = enabled && trust === 'trusted';
    const tools = mayAsk ? await servers.tools(id, within).catch(last) : last();
    return toServer(servers.snapshot(id), tools, now());
  });
  const all = await Promise.all(found);
  signal?.throwIfAborted();
  return all;
}

interface DiscoveryOptions {
  readonly signal?: AbortSignal;
  readonly now?: () => number;
  /** Milliseconds that servers have to answer. */
  readonly patience?: number;
}

/** `unavailable` is a server in error, given up or switched off. */
export function statusOf({
  enabled,
  autoDisabled,
  connectionState,
}: Pick<ServerSnapshot, 'enabled' | 'autoDisabled' | 'connectionState'>): ServerStatus {
  if (connectionState === 'connected') return 'available';
  return !enabled || autoDisabled || connectionState === 'error' ? 'unavailable' : 'unknown';
}

function toServer(
  snapshot: ServerSnapshot,
  tools: readonly ToolDescription[],
  lastDiscovered: number,
): MCPServer {
  const { id, name } = snapshot.config;
  return {
    id,
    name,
    status: statusOf(snapshot),
    tools: tools.map((tool) => toTool(tool, id)),
    lastDiscovered,
  };
}

function toTool(
  { name, title, annotations, description, inputSchema }: ToolDescription,
  serverId: string,
): MCPTool {
  return {
    name,
    displayName: title || annotations?.title || name,
    description: description ?? '',
    // A server's schema may be any; who reads a part of it looks at what it is.
    inputSchema: inputSchema as unknown as JSONSchema,
    serverId,
  };
}

/** Remembers what was discovered for five minutes, or until it is asked to look again. */
export class MCPDiscoveryCache {
  readonly ttl: number;
  readonly #discover: (signal?: AbortSignal) => Promise<MCPServer[]>;
  readonly #now: () => number;
  #servers: MCPServer[] = [];
  #lastUpdated = 0;
  #running: Promise<MCPServer[]> | undefined;

  constructor(
    discover: (signal?: AbortSignal) => Promise<MCPServer[]>,
    { ttl = MCP_DISCOVERY_CACHE_TTL, now = Date.now }: { ttl?: number; now?: () => number } = {},
  ) {
    this.#discover = discover;
    this.#now = now;
    this.ttl = ttl;
  }

  /** What was found last; empty before the first time. */
  get servers(): MCPServer[] {
    return this.#servers;
  }

  /** When it was found, in milliseconds since 1970; 0 before the first time and after `invalidate`. */
  get lastUpdated(): number {
    return this.#lastUpdated;
  }

  /** What was found last, or what is there now when that is too old. */
  async get(signal?: AbortSignal): Promise<MCPServer[]> {
    const age = this.#now() - this.#lastUpdated;
    // A clock that was set back must not keep it for as long as it was wrong.
    const isFresh = this.#lastUpdated > 0 && age >= 0 && age < this.ttl;
    return isFresh ? this.#servers : await this.refresh(signal);
  }

  /** Looks again, once for all who ask meanwhile. */
  async refresh(signal?: AbortSignal): Promise<MCPServer[]> {
    this.#running ??= this.#discover(signal).finally(() => {
      this.#running = undefined;
    });
    const servers = await this.#running;
    this.#servers = servers;
    this.#lastUpdated = this.#now();
    return servers;
  }

  /** The settings have changed: the next `get` looks again. */
  invalidate(): void {
    this.#lastUpdated = 0;
  }
}
