import {
  type ConnectionDetails,
  type ConnectProgress,
  type ContentRequest,
  findServer,
  type HostNoteContext,
  idleSnapshot,
  type LentServer,
  type LoadedSettings,
  noteContextOf,
  type ServerConfig,
  type ServerSnapshot,
  type Servers,
  type StartTrust,
  type ToolDescription,
  unknownServer,
} from '@errand/host';
import type { JsonObject } from '@errand/wire';
import type { LendingFace } from './lent-servers.ts';
import type { FaceMethods, HostState, OwnerMethods, ServerState } from './protocol.ts';
import type { RpcPeer } from './rpc-peer.ts';

export type OwnerPeer = RpcPeer<OwnerMethods, FaceMethods>;

export interface MirrorPorts {
  readonly trust: StartTrust;
  readonly realNotePath: (path: string) => string | undefined;
  readonly onSettingsChanged: () => void;
  readonly lending: LendingFace;
}

/** The servers of the vault's owner, as last heard. */
export class MirroredServers implements Servers {
  readonly #peer: OwnerPeer;
  readonly #ports: MirrorPorts;
  readonly #states = new Map<string, ServerState>();
  readonly #tools = new Map<string, ReadonlyMap<string, ToolDescription>>();
  readonly #lending: LendingFace;
  /** How often settings were saved here that the owner has not read yet. */
  #applying = 0;
  #applied: Promise<void> = Promise.resolve();
  #lastSubscription = 0;
  #settings: LoadedSettings;
  /** As the owner has them. */
  #owners: LoadedSettings;

  constructor(peer: OwnerPeer, state: HostState, ports: MirrorPorts) {
    this.#peer = peer;
    this.#ports = ports;
    this.#lending = ports.lending;
    this.#settings = state.settings;
    this.#owners = state.settings;
    for (const server of state.servers) this.follow(server);
    for (const { serverId, tools } of state.tools) this.followTools(serverId, tools);
  }

  get settings(): LoadedSettings {
    return this.#settings;
  }

  list(): readonly ServerConfig[] {
    return this.#settings.mcpServers;
  }

  find(idOrName: string): ServerConfig | undefined {
    return findServer(this.#settings, idOrName);
  }

  noteContext(documentPath: string): HostNoteContext {
    return noteContextOf(this.#settings, documentPath, this.#ports.realNotePath);
  }

  snapshots(): readonly ServerSnapshot[] {
    return this.list().map(({ id }) => this.snapshot(id));
  }

  snapshot(serverId: string): ServerSnapshot {
    const server = this.#entry(serverId);
    return this.#states.get(serverId)?.snapshot ?? idleSnapshot(server, this.#ports.trust);
  }

  progress(serverId: string): ConnectProgress {
    const idle = { phase: 'idle', isRecovering: false, isGivenUp: false } as const;
    return this.#states.get(serverId)?.progress ?? idle;
  }

  tools(serverId: string, signal: AbortSignal): Promise<readonly ToolDescription[]> {
    return this.#askTools(serverId, false, signal);
  }

  refreshTools(serverId: string, signal: AbortSignal): Promise<readonly ToolDescription[]> {
    return this.#askTools(serverId, true, signal);
  }

  knownTools(serverId: string): readonly ToolDescription[] {
    const isConnected = this.progress(serverId).phase === 'connected';
    return isConnected ? [...(this.#tools.get(serverId)?.values() ?? [])] : [];
  }

  lastTools(serverId: string): ReadonlyMap<string, ToolDescription> | undefined {
    return this.#tools.get(serverId);
  }

  details(serverId: string): Promise<ConnectionDetails> {
    return this.#peer.request('details', { serverId });
  }

  async content(
    serverId: string,
    request: ContentRequest,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    return (await this.#peer.request('content', { serverId, request }, { signal })).content;
  }

  async subscribe(serverId: string, uri: string, signal: AbortSignal): Promise<Disposable> {
    this.#lastSubscription += 1;
    const subscription = this.#lastSubscription;
    await this.#peer.request('subscribe', { serverId, uri, subscription }, { signal });
    return { [Symbol.dispose]: () => this.#peer.notify('unsubscribe', { subscription }) };
  }

  start(): void {
    this.#peer.notify('start-servers', {});
  }

  tryNow(serverId: string): void {
    this.#entry(serverId);
    this.#peer.notify('try-now', { serverId });
  }

  async setEnabled(serverId: string, enabled: boolean, signal?: AbortSignal): Promise<void> {
    this.#entry(serverId);
    await this.#peer.request('set-enabled', { serverId, enabled }, { signal });
  }

  apply(saved: LoadedSettings): void {
    this.#settings = saved;
    this.#applying += 1;
    const done = () => {
      this.#applying -= 1;
      this.#adopt();
    };
    this.#applied = this.#peer.request('refresh', {}).then(done, done);
    this.#ports.onSettingsChanged();
  }

  /** Resolves when the owner has read what was saved here, or has left. */
  get applied(): Promise<void> {
    return this.#applied;
  }

  lend(server: LentServer): Promise<Disposable> {
    return this.#lending.lend(server, this.#peer);
  }

  follow(state: ServerState): void {
    this.#states.set(state.snapshot.config.id, state);
  }

  followTools(serverId: string, tools: readonly ToolDescription[]): void {
    this.#tools.set(serverId, new Map(tools.map((tool) => [tool.name, tool])));
  }

  /** Takes over the owner's settings, once it has read those that were saved here. */
  followSettings(settings: LoadedSettings, servers: readonly ServerState[]): void {
    const kept = new Set(servers.map(({ snapshot }) => snapshot.config.id));
    for (const id of this.#states.keys()) if (!kept.has(id)) this.#states.delete(id);
    for (const server of servers) this.follow(server);
    this.#owners = settings;
    this.#adopt();
  }

  #adopt(): void {
    if (this.#applying > 0) return;
    this.#settings = this.#owners;
    this.#ports.onSettingsChanged();
  }

  async #askTools(
    serverId: string,
    isFresh: boolean,
    signal: AbortSignal,
  ): Promise<readonly ToolDescription[]> {
    const { tools } = await this.#peer.request('tools', { serverId, isFresh }, { signal });
    const known = this.#tools.get(serverId);
    if (known === undefined || isFresh) this.followTools(serverId, tools);
    return tools;
  }

  #entry(serverId: string): ServerConfig {
    const server = this.list().find(({ id }) => id === serverId);
    if (server !== undefined) return server;
    throw unknownServer(
      serverId,
      this.list().map(({ name }) => name),
    );
  }
}
