import { setImmediate } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ActiveExecution,
  type ExecutionTracker,
  type Host,
  HostError,
  type HostEvent,
  type HostEvents,
  type LentServer,
  Listeners,
  type Servers,
  type ToolHints,
} from '@errand/host';
import { raceSignal } from '@errand/wire';
import { AttachedHost } from './attached-host.ts';
import {
  type Change,
  type Engine,
  endEngine,
  type Former,
  sessionsOf,
  watchEngine,
} from './engine.ts';
import { leaseFolder } from './lease/lease-folder.ts';
import { Lending } from './lending.ts';
import { EngineOpener, handOverMs } from './open-engine.ts';
import type { OwnedVault } from './owned-vault.ts';
import { OwnerLost, unansweredOutcome } from './owner-lost.ts';
import type { OwnerStatus, ServiceEvent, ServiceRequest } from './protocol.ts';
import { PeerGone } from './rpc-peer.ts';
import { type CallPorts, runCall } from './run-call.ts';
import type { SharePorts } from './share-ports.ts';
import { sharedServers } from './shared-servers.ts';
import { SharedSessions } from './shared-sessions.ts';

/** What one program is to the others on its vault. */
export interface Sharing {
  readonly role: Engine['kind'];
  /** Who owns the vault, and who is attached; undefined for a private host. */
  status(): Promise<OwnerStatus | undefined>;
  /** Lets the owner read settings and agreements again. */
  refresh(): Promise<void>;
  /** Asks a service of the owner, wherever that is; undefined when this program runs alone. */
  request(
    request: ServiceRequest,
    signal?: AbortSignal,
  ): Promise<{ readonly value: unknown } | undefined>;
  /** What the services of the owner tell, whichever program that is. */
  readonly serviceEvents: Pick<Listeners<ServiceEvent>, 'subscribe'>;
}

/**
 * The host of a vault, in this process or in the one that owns the vault; faces cannot tell which. Its functions
 * may be taken out of it, like those of any host.
 */
export class SharedHost implements Host, Sharing {
  readonly servers: Servers;
  readonly sessions: SharedSessions;
  readonly events: HostEvents;
  readonly serviceEvents: Listeners<ServiceEvent>;
  readonly hints: ToolHints;
  readonly approvalOf: Host['approvalOf'];
  readonly check: Host['check'];
  readonly #ports: SharePorts;
  readonly #opener: EngineOpener;
  readonly #lending: Lending;
  readonly #calls: CallPorts;
  readonly #closing = new AbortController();
  #engine!: Engine;
  /** Resolves with the next engine while there is none that works. */
  #next: Promise<Engine> | undefined;
  #leave: () => void = () => undefined;
  #isStarted = false;
  /** What a person wanted last, until the owner says that it is so. */
  #wantsStopped: boolean | undefined;
  /** Whether calls were stopped when the engine before this one was given up. */
  #wasStopped = false;

  static async open(ports: SharePorts, signal?: AbortSignal): Promise<SharedHost> {
    const { vault, stateFolder, env } = ports;
    const folder = await leaseFolder(vault, { state: stateFolder }, env);
    const shared = new SharedHost(ports, folder);
    const stopJoining = () => shared.#closing.abort(signal?.reason);
    signal?.addEventListener('abort', stopJoining);
    try {
      shared.#adopt(await shared.#opener.open());
    } finally {
      signal?.removeEventListener('abort', stopJoining);
    }
    return shared;
  }

  private constructor(ports: SharePorts, folder: Awaited<ReturnType<typeof leaseFolder>>) {
    this.#ports = ports;
    this.#lending = new Lending(ports.onFault);
    this.hints = ports.hints;
    this.approvalOf = ports.approvalOf;
    this.check = ports.check;
    this.events = new Listeners<HostEvent>(ports.onFault);
    this.serviceEvents = new Listeners<ServiceEvent>(ports.onFault);
    const isLeft = (engine: Engine | undefined) =>
      this.#engine === engine && this.#next !== undefined;
    this.#opener = new EngineOpener({
      ports,
      folder,
      signal: this.#closing.signal,
      mayAttach: (engine) => !this.#closing.signal.aborted && !isLeft(engine),
      handOver: (engine) => this.#handOver(engine),
      onLeaving: (engine) => this.#leaveWith(engine),
      onServiceEvent: (event) => this.serviceEvents.emit(event),
    });
    this.#calls = {
      log: ports.log,
      closing: this.#closing.signal,
      engine: () => this.#next ?? this.#engine,
      giveUp: (engine) => this.#replace(engine, { isHandedOver: true }),
      isGivenUp: (engine) => (this.#engine !== engine || isLeft(engine)) && !this.#wasStopped,
    };
    const current = () => this.#engine.host;
    const settled: Parameters<typeof sharedServers>[0]['settled'] = (work, signal) =>
      this.#settled(work, signal);
    const lend = async (server: LentServer) =>
      this.#lending.lend(server, (this.#next === undefined ? this.#engine : await this.#next).host);
    const tell = (work: (host: Engine['host']) => void) => this.#tell(({ host }) => work(host));
    this.servers = sharedServers({ current, tell, settled, lend }, () => {
      this.#isStarted = true;
    });
    this.sessions = new SharedSessions(
      () => sessionsOf(this.#engine),
      (work) => this.#tell((engine) => work(sessionsOf(engine))),
    );
  }

  get role(): Engine['kind'] {
    return this.#engine.kind;
  }

  get tracker(): ExecutionTracker {
    return this.#engine.host.tracker;
  }

  get calls(): readonly ActiveExecution[] {
    return this.#engine.host.calls;
  }

  readonly execute: Host['execute'] = (request, options = {}) => {
    this.sessions.use(request.sessionId);
    return runCall(request, options, this.#calls);
  };

  readonly cancel: Host['cancel'] = (requestId) => this.#tell(({ host }) => host.cancel(requestId));

  readonly stop: Host['stop'] = () => {
    this.#wantsStopped = true;
    this.#engine.host.stop();
  };

  readonly resume: Host['resume'] = () => {
    this.#wantsStopped = false;
    this.#engine.host.resume();
  };

  async refresh(): Promise<void> {
    await this.#settled(async (host) => {
      if (host instanceof AttachedHost) await host.refresh();
    });
  }

  async request(
    request: ServiceRequest,
    signal: AbortSignal = this.#closing.signal,
  ): Promise<{ readonly value: unknown } | undefined> {
    const engine = await raceSignal(this.#next ?? Promise.resolve(this.#engine), signal);
    if (engine.kind === 'private') return undefined;
    const { kind, host } = engine;
    return { value: await (kind === 'own' ? engine : host).request(request, signal) };
  }

  async status(): Promise<OwnerStatus | undefined> {
    const engine = this.#next === undefined ? this.#engine : await this.#next;
    if (engine.kind === 'attached') return engine.host.status().catch(ignoreGone);
    return engine.kind === 'own' ? engine.status() : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new HostError('stopped', 'Errand is shutting down.'));
    await this.#next?.catch(() => undefined);
    this.#leave();
    await endEngine(this.#engine);
  }

  async #settled<Result>(
    work: (host: Engine['host']) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    for (let isRepeated = false; ; isRepeated = true) {
      const next = this.#next ?? Promise.resolve(this.#engine);
      const { host } = await (signal === undefined ? next : raceSignal(next, signal));
      try {
        return await work(host);
      } catch (error) {
        if (isRepeated || !(error instanceof PeerGone)) throw error;
        if (host instanceof AttachedHost) await host.closed;
      }
    }
  }

  /** Does something with the present engine, and with the next one where that is being looked for. */
  #tell(work: (engine: Engine) => void): void {
    work(this.#engine);
    this.#next?.then(work).catch(() => undefined);
  }

  /** Begins to use an engine, and tells everybody who follows this host how things are now. */
  #adopt(engine: Engine, former?: Former): void {
    this.#engine = engine;
    this.#next = undefined;
    const { host } = engine;
    const unsubscribe = host.events.subscribe((event) => {
      const { kind } = event;
      if (kind === 'calls-stopped' || kind === 'calls-resumed') this.#wantsStopped = undefined;
      this.events.emit(event);
    });
    const watch = watchEngine(engine, (change) => this.#replace(engine, change));
    this.#leave = () => {
      unsubscribe();
      watch[Symbol.dispose]();
    };
    if (this.#isStarted) host.servers.start();
    if (former === undefined) return;
    this.#lending.lendAgain(host);
    this.sessions.introduce(sessionsOf(engine), former.sessions);
    const isStopped = this.#wantsStopped ?? former.earlier.isStopped;
    if (isStopped && !host.tracker.stopped) host.stop();
    if (this.#wantsStopped === false && host.tracker.stopped) host.resume();
    this.#endLostCalls(former.engine);
    this.events.emit({ kind: 'settings-changed' });
    for (const snapshot of host.servers.snapshots()) {
      this.events.emit({ kind: 'server-changed', snapshot });
    }
    for (const sessionId of host.sessions.used().keys()) {
      this.events.emit({ kind: 'session-changed', sessionId });
    }
  }

  /** Calls of any face that the earlier owner left without an end. */
  #endLostCalls({ kind, host }: Engine): void {
    if (kind !== 'attached') return;
    for (const { request, submittedAt } of host.calls) {
      const lost = new OwnerLost(host.owner, { wasStarted: true, mayRepeat: false });
      const outcome = unansweredOutcome(request, lost, Date.now() - submittedAt);
      this.events.emit({ kind: 'call-finished', request, outcome });
    }
  }

  /** Finds another engine in place of one that does not work any more. */
  #replace(before: Engine, change: Change = {}): void {
    if (this.#closing.signal.aborted || this.#engine !== before || this.#next) return;
    this.#leave();
    this.#follow(this.#giveUp(before, change), change);
  }

  /** Ends an engine and keeps what it counted. */
  async #giveUp(engine: Engine, { isReady }: Change): Promise<Former> {
    await isReady;
    const { servers, tracker } = engine.host;
    this.#wasStopped = this.#wantsStopped ?? tracker.stopped;
    const earlier = { settings: servers.settings, isStopped: this.#wasStopped };
    const former = { engine, earlier, sessions: this.sessions.count() };
    // What did not end well must not keep this program from finding another owner.
    await endEngine(engine).catch(this.#ports.onFault);
    return former;
  }

  #follow(ended: Promise<Former>, change: Change): void {
    const { signal } = this.#closing;
    const next = ended.then(async (former) => {
      const engine = await this.#opener.open(former.earlier, change);
      this.#adopt(engine, former);
      return engine;
    });
    this.#next = next;
    next.catch((error: unknown) => {
      if (signal.aborted) return;
      this.#ports.onFault(error);
      // Who waited is told; whoever comes later waits for the next attempt.
      const pause = sleep(retryMs, undefined, { signal }).catch(() => undefined);
      this.#follow(
        pause.then(() => ended),
        {},
      );
    });
  }

  /** Takes no new calls to an owner that leaves, and waits for those that it still answers. */
  #leaveWith(engine: Engine): void {
    if (engine.kind !== 'attached') return;
    const { signal } = this.#closing;
    const late = sleep(2 * handOverMs, undefined, { signal, ref: false }).catch(() => undefined);
    const isReady = Promise.race([engine.host.closed, late]);
    this.#replace(engine, { isHandedOver: true, isReady });
  }

  /** Ends what this program runs, so that the one who asks can take its place. */
  async #handOver(engine: OwnedVault): Promise<boolean> {
    if (this.#ports.owns !== 'editor' || this.#engine !== engine || this.#next) return false;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    this.#replace(engine, { isHandedOver: true, isReady: answered });
    engine.sayLeaving();
    const before = performance.now();
    const isRunning = () => engine.host.calls.length > 0 && !this.#closing.signal.aborted;
    while (isRunning() && performance.now() - before < handOverMs) await sleep(20);
    // After the answer has been written.
    setImmediate(() => setImmediate(answer));
    return true;
  }
}

/** How long after a failure to find an owner it is tried again. */
const retryMs = 1_000;

function ignoreGone(error: unknown): undefined {
  if (!(error instanceof PeerGone)) throw error;
}
