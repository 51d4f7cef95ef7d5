import type { JsonObject } from '@errand/wire';
import type { CallLog } from '../call-log.ts';
import type { Clock } from '../clock.ts';
import type { Connector, ContentRequest, ServerContent, ToolDescription } from '../connection.ts';
import type { HostEvents } from '../events/host-event.ts';
import { logContent } from '../executor/log-content.ts';
import { fixedError } from '../fixed-error.ts';
import type { AutoDisabled, HealthRecords, HealthStore } from '../health-store.ts';
import { HostError } from '../host-error.ts';
import type { Notifier } from '../notifier.ts';
import { withChangedServer } from '../settings/change-servers.ts';
import type { ServerConfig } from '../settings.ts';
import type { LoadedSettings, SettingsStore } from '../settings-store.ts';
import { type ConnectProgress, progressOf } from './connect-progress.ts';
import { type Connectors, connectorFor } from './connectors.ts';
import { disabledError } from './disabled-error.ts';
import { entryHash } from './entry-hash.ts';
import { findServer, type HostNoteContext, noteContextOf, unknownServer } from './find-server.ts';
import { HealthSaver } from './health-saver.ts';
import {
  cannotSwitch,
  type LentServer,
  lentConnector,
  lentEntry,
  nameTaken,
} from './lent-server.ts';
import type { HealthChange, RetryPlan } from './lifecycle-state.ts';
import type { LiveConnection } from './live-connection.ts';
import { type RunnerPorts, ServerRunner } from './server-runner.ts';
import { type ServerSnapshot, type StartTrust, takeSnapshot, trustOf } from './server-snapshot.ts';
import type { ConnectionDetails, Servers } from './servers.ts';
import { StartGate } from './start-gate.ts';
import type { Tools } from './tool-list.ts';

interface RegistryPorts {
  readonly settings: SettingsStore;
  readonly health: HealthStore;
  /** What it held at the start. */
  readonly records: HealthRecords;
  readonly connectors: Connectors;
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly events: HostEvents;
  readonly log: CallLog;
  readonly plan: RetryPlan;
  readonly random: () => number;
  readonly parallelStarts: number;
  readonly trust: StartTrust;
  readonly realNotePath: (path: string) => string | undefined;
}

/** All servers of a vault: who they are, how they are, and their connections. */
export class ServerRegistry implements Servers {
  readonly #ports: RegistryPorts;
  readonly #runnerPorts: RunnerPorts;
  readonly #saver: HealthSaver;
  readonly #runners = new Map<string, ServerRunner>();
  readonly #removed = new Set<Promise<void>>();
  readonly #lent = new Map<
    string,
    { readonly entry: ServerConfig; readonly connector: Connector }
  >();
  readonly #unwatch: () => void;
  /** As the file has it. */
  #stored: LoadedSettings;
  /** With what this machine knows of the servers. */
  #settings: LoadedSettings;
  #isEager = false;
  #isClosed = false;

  constructor(settings: LoadedSettings, ports: RegistryPorts) {
    const { clock, notifier, plan, random, trust, events, parallelStarts } = ports;
    this.#ports = ports;
    this.#saver = new HealthSaver(ports.health, ports.records, clock, notifier, () =>
      this.apply(this.#stored),
    );
    this.#stored = settings;
    this.#saver.adopt(settings);
    this.#settings = this.#overlay(settings);
    this.#unwatch = ports.health.watch(() => void this.#followHealth());
    this.#runnerPorts = {
      connector: (server) =>
        this.#lent.get(server.id)?.connector ?? connectorFor(server, ports.connectors),
      clock,
      notifier,
      plan,
      random,
      mayStart: (server) => (this.#lent.has(server.id) ? undefined : trust.mayStart(server)),
      gate: new StartGate(parallelStarts, clock),
      known: (serverId) => this.#saver.record(serverId),
      save: (serverId, change) => this.#save(serverId, change),
      announce: (server, kind) => events.emit({ kind, serverId: server.id }),
      onContentChanged: (serverId, change) =>
        events.emit({ kind: 'content-changed', serverId, change }),
      onChange: (runner) =>
        events.emit({ kind: 'server-changed', snapshot: takeSnapshot(runner, ports) }),
    };
    for (const server of this.#settings.mcpServers) this.#add(server);
  }

  get settings(): LoadedSettings {
    return this.#settings;
  }

  list(): readonly ServerConfig[] {
    return this.#settings.mcpServers;
  }

  noteContext(documentPath: string): HostNoteContext {
    return noteContextOf(this.#settings, documentPath, this.#ports.realNotePath);
  }

  find(idOrName: string): ServerConfig | undefined {
    return this.#runners.get(idOrName)?.server ?? findServer(this.#settings, idOrName);
  }

  snapshots(): readonly ServerSnapshot[] {
    return this.list().map(({ id }) => this.snapshot(id));
  }

  snapshot(serverId: string): ServerSnapshot {
    return takeSnapshot(this.runner(serverId), this.#ports);
  }

  async tools(serverId: string, signal: AbortSignal): Promise<readonly ToolDescription[]> {
    const live = await this.ready(serverId, signal);
    return [
      ...this.runner(serverId)
        .offered(await live.tools.current())
        .values(),
    ];
  }

  async refreshTools(serverId: string, signal: AbortSignal): Promise<readonly ToolDescription[]> {
    const live = await this.ready(serverId, signal);
    return [
      ...this.runner(serverId)
        .offered(await live.tools.refresh())
        .values(),
    ];
  }

  knownTools(serverId: string): readonly ToolDescription[] {
    const runner = this.runner(serverId);
    return runner.live === undefined ? [] : [...(runner.knownTools?.values() ?? [])];
  }

  lastTools(serverId: string): Tools | undefined {
    return this.runner(serverId).knownTools;
  }

  progress(serverId: string): ConnectProgress {
    const { state, live } = this.runner(serverId);
    return progressOf(state, live?.connection.content?.features);
  }

  async details(serverId: string): Promise<ConnectionDetails> {
    const { live, lastOutput } = this.runner(serverId);
    return { ...(live && { identity: live.connection.server }), lastOutput };
  }

  async content(
    serverId: string,
    request: ContentRequest,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { log, clock } = this.#ports;
    const server = this.runner(serverId).server.name;
    return logContent(request, { log, clock, server, signal }, () =>
      this.#withContent(serverId, signal, (content, limited) => content.request(request, limited)),
    );
  }

  async subscribe(serverId: string, uri: string, signal: AbortSignal): Promise<Disposable> {
    return this.#withContent(serverId, signal, (content, limited) =>
      content.subscribe(uri, limited),
    );
  }

  start(): void {
    this.#isEager = true;
    this.#connectIdle();
  }

  /** The connection of a server, started if need be. */
  ready(serverId: string, signal: AbortSignal): Promise<LiveConnection> {
    return this.runner(serverId).ready(signal);
  }

  tryNow(serverId: string): void {
    this.runner(serverId).dispatch({ kind: 'try-now' });
  }

  async setEnabled(serverId: string, enabled: boolean, signal?: AbortSignal): Promise<void> {
    const { server } = this.runner(serverId);
    if (this.#lent.has(serverId)) throw cannotSwitch(server.name);
    const change = { enabled, autoDisabled: false, failureCount: 0 };
    const saved = await this.#ports.settings.save(
      (settings) => withChangedServer(settings, serverId, (server) => ({ ...server, ...change })),
      signal,
    );
    this.#saver.save(serverId, { autoDisabled: undefined, failureCount: 0 });
    this.apply(saved);
    // Another program may be waiting for it.
    await this.#saver.flush();
  }

  apply(saved: LoadedSettings): void {
    if (this.#isClosed) return;
    const settings = this.#overlay(saved);
    this.#stored = saved;
    this.#settings = settings;
    const kept = new Set(settings.mcpServers.map((server) => server.id));
    const before = [...this.#runners];
    // Register all servers before emitting events: a listener may ask for any server of the new settings.
    for (const server of settings.mcpServers) if (!this.#runners.has(server.id)) this.#add(server);
    for (const [id, runner] of before) if (!kept.has(id)) this.#remove(id, runner);
    for (const server of settings.mcpServers) this.#update(this.runner(server.id), server);
    if (this.#isEager) this.#connectIdle();
    this.#ports.events.emit({ kind: 'settings-changed' });
  }

  async lend(server: LentServer): Promise<Disposable> {
    if (findServer(this.#settings, server.name) !== undefined) throw nameTaken(server.name);
    const entry = lentEntry(server);
    this.#lent.set(entry.id, { entry, connector: lentConnector(server) });
    this.apply(this.#stored);
    return {
      [Symbol.dispose]: () => {
        if (this.#lent.delete(entry.id)) this.apply(this.#stored);
      },
    };
  }

  runner(serverId: string): ServerRunner {
    const runner = this.#runners.get(serverId);
    if (runner !== undefined) return runner;
    throw unknownServer(
      serverId,
      this.list().map((server) => server.name),
    );
  }

  /** Closes every connection and waits until nothing of ours runs. */
  async close(): Promise<void> {
    const reason = new HostError('stopped', 'Errand is shutting down.', { neverSent: true });
    const runners = [...this.#runners.values()];
    this.#isClosed = true;
    this.#unwatch();
    await Promise.all([...runners.map((runner) => runner.close(reason)), ...this.#removed]);
    await this.#saver.flush();
  }

  async #withContent<Result>(
    serverId: string,
    signal: AbortSignal,
    work: (content: ServerContent, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const live = await this.ready(serverId, signal);
    const { server } = this.runner(serverId);
    const { content } = live.connection;
    if (content === undefined) throw noContent(server.name);
    const timeoutMs = server.timeout ?? this.#settings.mcpGlobalTimeout;
    const late = new AbortController();
    using _timer = this.#ports.clock.after(timeoutMs, () =>
      late.abort(fixedError('timeout', { timeoutMs })),
    );
    using _lease = live.lease();
    return await work(content, AbortSignal.any([signal, late.signal]));
  }

  /** Connects the agreed servers that are not left for their first use; a given-up one is tried again later. */
  #connectIdle(): void {
    for (const runner of this.#runners.values()) {
      const { server, state } = runner;
      const isWaiting =
        state.phase === 'disconnected' &&
        (server.connect ?? this.#settings.connect) === 'at-start' &&
        trustOf(server, this.#ports.trust) === 'trusted';
      if (isWaiting || state.phase === 'disabled') runner.dispatch({ kind: 'used' });
    }
  }

  #save(serverId: string, { autoDisabled, ...change }: HealthChange): void {
    const server = this.#stored.mcpServers.find(({ id }) => id === serverId);
    if (server === undefined) return;
    if (autoDisabled === undefined) this.#saver.save(serverId, change);
    else
      this.#saver.save(serverId, {
        ...change,
        autoDisabled: autoDisabled ? givenUp(server, autoDisabled) : undefined,
      });
  }

  /** The settings with what this machine knows of their servers, and with those that are lent. */
  #overlay(settings: LoadedSettings): LoadedSettings {
    const known = this.#saver.overlay(settings);
    if (this.#lent.size === 0) return known;
    // A person who adds an entry of the same name gets that one.
    const lent = [...this.#lent.values()].flatMap(({ entry }) =>
      findServer(known, entry.name) === undefined ? [entry] : [],
    );
    return { ...known, mcpServers: [...known.mcpServers, ...lent] };
  }

  async #followHealth(): Promise<void> {
    await this.#saver.follow().catch(() => undefined);
    this.apply(this.#stored);
  }

  #add(server: ServerConfig): ServerRunner {
    const runner = new ServerRunner(server, this.#runnerPorts);
    this.#runners.set(server.id, runner);
    return runner;
  }

  #update(runner: ServerRunner, server: ServerConfig): void {
    const before = runner.server;
    runner.server = server;
    if (entryHash(before) !== entryHash(server)) runner.dispatch({ kind: 'entry-changed' });
    const isOn = runner.state.phase !== 'disabled';
    if (isOn && !server.enabled && !runner.state.isProbe) {
      runner.dispatch({ kind: 'disabled', reason: disabledError(server) });
    } else if (!isOn && server.enabled) {
      runner.dispatch({ kind: 'enabled' });
      if (this.#isEager) runner.dispatch({ kind: 'used' });
    } else if (this.#isEager && runner.state.reason?.code === 'untrusted') {
      // Somebody may have agreed to it meanwhile, in this program or in another.
      const isAgreed = this.#ports.trust.mayStart(server) === undefined;
      if (isAgreed) runner.dispatch({ kind: 'used' });
    }
  }

  #remove(id: string, runner: ServerRunner): void {
    this.#runners.delete(id);
    const names = this.list().map((server) => server.name);
    runner.dispatch({ kind: 'closed', reason: unknownServer(runner.server.name, names) });
    const gone = runner.drained().finally(() => this.#removed.delete(gone));
    this.#removed.add(gone);
  }
}

function noContent(server: string): HostError {
  const message = `Server "${server}" has neither resources nor prompts.`;
  return new HostError('invalid_params', message, { server });
}

function givenUp(
  server: ServerConfig,
  { at, reason }: NonNullable<HealthChange['autoDisabled']>,
): AutoDisabled {
  const { code, message } = reason;
  return { at, reason: { code, message }, entry: entryHash(server) };
}
