import { clearInterval, setImmediate, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ActiveExecution,
  type CallOutcome,
  type EarlierHost,
  type ExecutionTracker,
  type Host,
  HostError,
  type HostEvent,
  type HostEvents,
  type LentServer,
  Listeners,
  logRecord,
  type Servers,
  type SessionControl,
  type ToolHints,
  type ToolInvocationRequest,
} from '@errand/host';
import { raceSignal } from '@errand/wire';
import { AttachedHost } from './attached-host.ts';
import { joinVault } from './join-vault.ts';
import { type LeaseFolder, leaseFolder } from './lease/lease-folder.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import type { Lease } from './lease/take-lease.ts';
import { Lending } from './lending.ts';
import { OwnedVault } from './owned-vault.ts';
import { OwnerError } from './owner-error.ts';
import { lostOutcome, OwnerLost } from './owner-lost.ts';
import { type FaceInfo, type OwnerStatus, protocol } from './protocol.ts';
import { PeerGone } from './rpc-peer.ts';
import { otherVersion, runsAlone } from './runs-alone.ts';
import type { SharePorts } from './share-ports.ts';
import { sharedServers, sharedSessions } from './shared-servers.ts';
import { watchOwner } from './watch-owner.ts';

type Engine =
  | OwnedVault
  | { readonly kind: 'attached'; readonly host: AttachedHost }
  | { readonly kind: 'private'; readonly host: Host };

/** An engine that does not work any more, and what it had counted. */
interface Former {
  readonly engine: Engine;
  readonly earlier: EarlierHost;
}

/** What one program is to the others on its vault. */
export interface Sharing {
  readonly role: Engine['kind'];
  /** Who owns the vault, and who is attached; undefined for a private host. */
  status(): Promise<OwnerStatus | undefined>;
  /** Lets the owner read settings and agreements again. */
  refresh(): Promise<void>;
}

/**
 * The host of a vault, in this process or in the one that owns the vault; faces cannot tell which. Its functions
 * may be taken out of it, like those of any host.
 */
export class SharedHost implements Host, Sharing {
  readonly servers: Servers;
  readonly sessions: SessionControl;
  readonly events: HostEvents;
  readonly hints: ToolHints;
  readonly approvalOf: Host['approvalOf'];
  readonly check: Host['check'];
  readonly #ports: SharePorts;
  readonly #folder: LeaseFolder;
  readonly #lending: Lending;
  readonly #closing = new AbortController();
  #engine!: Engine;
  /** Resolves with the next engine while there is none that works. */
  #next: Promise<Engine> | undefined;
  #leave: () => void = () => undefined;
  #isStarted = false;

  static async open(ports: SharePorts, signal?: AbortSignal): Promise<SharedHost> {
    const { vault, stateFolder, env } = ports;
    const folder = await leaseFolder(vault, { state: stateFolder }, env);
    const shared = new SharedHost(folder, ports);
    const stopJoining = () => shared.#closing.abort(signal?.reason);
    signal?.addEventListener('abort', stopJoining);
    try {
      shared.#adopt(await shared.#join());
    } finally {
      signal?.removeEventListener('abort', stopJoining);
    }
    return shared;
  }

  private constructor(folder: LeaseFolder, ports: SharePorts) {
    this.#folder = folder;
    this.#ports = ports;
    this.#lending = new Lending(ports.onFault);
    this.hints = ports.hints;
    this.approvalOf = ports.approvalOf;
    this.check = ports.check;
    this.events = new Listeners<HostEvent>(ports.onFault);
    const current = () => this.#engine.host;
    const settled: Parameters<typeof sharedServers>[0]['settled'] = (work, signal) =>
      this.#settled(work, signal);
    const lend = async (server: LentServer) =>
      this.#lending.lend(server, (this.#next === undefined ? this.#engine : await this.#next).host);
    this.servers = sharedServers({ current, settled, lend }, () => {
      this.#isStarted = true;
    });
    this.sessions = sharedSessions({ current });
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

  readonly execute: Host['execute'] = async (request, options) => {
    const submittedAt = Date.now();
    let isRepeated = false;
    for (;;) {
      const { host } = this.#next === undefined ? this.#engine : await this.#next;
      try {
        return await host.execute(request, options);
      } catch (error) {
        if (!(error instanceof OwnerLost)) throw error;
        if (isRepeated || !error.mayRepeat || options?.signal?.aborted) {
          return this.#lose(request, error, submittedAt);
        }
        isRepeated = true;
      }
    }
  };

  readonly cancel: Host['cancel'] = (requestId) => this.#engine.host.cancel(requestId);

  readonly stop: Host['stop'] = () => this.#engine.host.stop();

  readonly resume: Host['resume'] = () => this.#engine.host.resume();

  async refresh(): Promise<void> {
    if (this.#engine.kind === 'attached') await this.#engine.host.refresh().catch(ignoreGone);
  }

  async status(): Promise<OwnerStatus | undefined> {
    const engine = this.#next === undefined ? this.#engine : await this.#next;
    if (engine.kind === 'attached') return engine.host.status();
    return engine.kind === 'own' ? engine.status() : undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new HostError('stopped', 'Errand is shutting down.'));
    await this.#next?.catch(() => undefined);
    this.#leave();
    await this.#end(this.#engine);
  }

  async #end(engine: Engine): Promise<void> {
    if (engine.kind === 'attached') engine.host.close();
    else if (engine.kind === 'own') await engine[Symbol.asyncDispose]();
    else await engine.host[Symbol.asyncDispose]();
  }

  async #settled<Result>(
    work: (host: Pick<Host, 'servers'>) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    for (let isRepeated = false; ; isRepeated = true) {
      const next = this.#next ?? Promise.resolve(this.#engine);
      const { host } = await (signal === undefined ? next : raceSignal(next, signal));
      try {
        return await work(host);
      } catch (error) {
        if (isRepeated || !(error instanceof PeerGone)) throw error;
      }
    }
  }

  /** Begins to use an engine, and tells everybody who follows this host how things are now. */
  #adopt(engine: Engine, former?: Former): void {
    this.#engine = engine;
    this.#next = undefined;
    const { host } = engine;
    const unsubscribe = host.events.subscribe((event) => this.events.emit(event));
    const watch = engine.kind === 'private' ? undefined : this.#watch(engine);
    this.#leave = () => {
      unsubscribe();
      watch?.[Symbol.dispose]();
    };
    if (this.#isStarted) host.servers.start();
    if (former === undefined) return;
    this.#lending.lendAgain(host);
    if (former.earlier.isStopped && !host.tracker.stopped) host.stop();
    this.#endLostCalls(former.engine);
    this.events.emit({ kind: 'settings-changed' });
    for (const snapshot of host.servers.snapshots()) {
      this.events.emit({ kind: 'server-changed', snapshot });
    }
    for (const sessionId of host.sessions.used().keys()) {
      this.events.emit({ kind: 'session-changed', sessionId });
    }
  }

  /** The end of a call of this program that its owner took with it, and with it the record in the log. */
  #lose(request: ToolInvocationRequest, lost: OwnerLost, submittedAt: number): CallOutcome {
    const completedAt = Date.now();
    const outcome = lostOutcome(request, lost, completedAt - submittedAt);
    const serverName = this.servers.find(request.serverId)?.name ?? request.serverId;
    const journal = { serverName, attempts: [{ startedAt: submittedAt }] };
    this.#ports.log.append(logRecord({ request, submittedAt }, journal, outcome, completedAt));
    return outcome;
  }

  /** Calls of any face that the earlier owner left without an end. */
  #endLostCalls({ kind, host }: Engine): void {
    if (kind !== 'attached') return;
    for (const { request, submittedAt } of host.calls) {
      const lost = new OwnerLost(host.owner, { wasStarted: true, mayRepeat: false });
      const outcome = lostOutcome(request, lost, Date.now() - submittedAt);
      this.events.emit({ kind: 'call-finished', request, outcome });
    }
  }

  /** Looks whether the owner, or this program's own lease, is still there. */
  #watch(engine: Exclude<Engine, { kind: 'private' }>): Disposable {
    let isWatching = true;
    const lose = (deposed?: OwnerInfo) => {
      if (!isWatching) return;
      this.#leave();
      this.#replace(engine, deposed);
    };
    if (engine.kind === 'attached') {
      void engine.host.closed.then(() => lose());
      const stopped = new AbortController();
      void watchOwner(engine.host, stopped.signal).then((owner) => owner && lose(owner));
      return {
        [Symbol.dispose]: () => {
          isWatching = false;
          stopped.abort();
        },
      };
    }
    const timer = setInterval(() => {
      if (!engine.isHeld()) lose();
    }, leaseCheckMs);
    timer.unref?.();
    return {
      [Symbol.dispose]: () => {
        isWatching = false;
        clearInterval(timer);
      },
    };
  }

  /** Finds another engine in place of one that does not work any more. */
  #replace(before: Engine, deposed?: OwnerInfo, isReady: Promise<void> = Promise.resolve()): void {
    if (this.#closing.signal.aborted || this.#next !== undefined) return;
    const next = isReady.then(async () => {
      const earlier = {
        sessions: before.host.sessions.used(),
        isStopped: before.host.tracker.stopped,
      };
      const former = { engine: before, earlier };
      await this.#end(before);
      const engine = await this.#join(former, deposed);
      this.#adopt(engine, former);
      return engine;
    });
    this.#next = next;
    next.catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#ports.onFault(error);
    });
  }

  async #join(former?: Former, deposed?: OwnerInfo): Promise<Engine> {
    const before = former?.engine;
    const isOneShot = this.#ports.owns === 'never';
    const wasHandedOver =
      before?.kind === 'own' || (before?.kind === 'attached' && before.host.isLeaving);
    try {
      return await joinVault<Engine>(
        {
          folder: this.#folder,
          claimant: { ...this.#self(), protocol, since: Date.now() },
          canOwn: !isOneShot,
          waitsForOwnerMs: wasHandedOver
            ? handOverMs
            : isOneShot && before !== undefined
              ? reattachMs
              : 0,
          ...(deposed && { deposed }),
          signal: this.#closing.signal,
        },
        {
          attach: (socket, owner) => this.#attach(socket, owner),
          own: (lease, replaced) => this.#own(lease, former?.earlier, replaced),
          runAlone: () => this.#private(),
        },
      );
    } catch (error) {
      if (!(error instanceof OwnerError)) throw error;
      this.#ports.notifier.notify(runsAlone(error.message));
      return await this.#private();
    }
  }

  /** Undefined when the owner left, or made way for this program. */
  async #attach(
    socket: Parameters<typeof AttachedHost.attach>[0],
    owner: OwnerInfo,
  ): Promise<Engine | undefined> {
    if (owner.protocol !== protocol) {
      socket.destroy();
      this.#ports.notifier.notify(otherVersion(owner, this.#ports.version));
      return this.#private();
    }
    try {
      const face = { ...this.#self(), pid: process.pid, isWatching: this.#ports.owns !== 'never' };
      const host = await AttachedHost.attach(socket, owner, { ...this.#ports, face });
      if (this.#ports.owns !== 'first' || !editors.has(owner.program)) {
        return { kind: 'attached', host };
      }
      if (!(await host.askToHandOver())) return { kind: 'attached', host };
      host.close();
      return undefined;
    } catch (error) {
      if (error instanceof PeerGone) return undefined;
      throw error;
    }
  }

  async #own(lease: Lease, earlier?: EarlierHost, deposed?: OwnerInfo): Promise<Engine> {
    const engine: OwnedVault = await OwnedVault.open(lease, {
      ...this.#ports,
      mayAttach: () => !this.#closing.signal.aborted && this.#next === undefined,
      handOver: () => this.#handOver(engine),
      ...(earlier && { earlier }),
      ...(deposed && { deposed }),
    });
    return engine;
  }

  async #private(): Promise<Engine> {
    return { kind: 'private', host: await this.#ports.openHost(this.#ports) };
  }

  /** Ends what this program runs, so that the one who asks can take its place. */
  async #handOver(engine: OwnedVault): Promise<boolean> {
    if (this.#ports.owns !== 'editor' || this.#engine !== engine || this.#next) return false;
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    this.#leave();
    this.#replace(engine, undefined, answered);
    engine.sayLeaving();
    const before = performance.now();
    const isRunning = () => engine.host.calls.length > 0;
    while (isRunning() && performance.now() - before < handOverMs) await sleep(20);
    // After the answer has been written.
    setImmediate(() => setImmediate(answer));
    return true;
  }

  #self(): Pick<FaceInfo, 'program' | 'version'> {
    const { program, version } = this.#ports;
    return { program, version };
  }
}

/** Programs that make way for those that own first. */
const editors: ReadonlySet<string> = new Set(['obsidian', 'vscode']);

const leaseCheckMs = 1_000;
/** How long a command that was attached waits for the next owner before it runs alone. */
const reattachMs = 2_000;
/** How long running calls may take when an editor hands over, and the newcomer to take its place. */
const handOverMs = 3_000;

function ignoreGone(error: unknown): void {
  if (!(error instanceof PeerGone)) throw error;
}
