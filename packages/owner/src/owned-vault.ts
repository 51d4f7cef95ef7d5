import { type EarlierHost, type Host, HostError, type HostRole, type Notifier } from '@errand/host';
import { HeldSessions, type ProgramSessions } from './held-sessions.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import type { Lease } from './lease/take-lease.ts';
import type { FaceInfo, OwnerStatus, ServiceEvent, ServiceRequest } from './protocol.ts';
import { type AttachedFace, serveFace } from './serve-face.ts';

/** What a program runs besides the host while it owns a vault. It ends before another program can own it. */
export interface OwnerServices extends AsyncDisposable {
  /** Answers any program on the vault with what can be sent as JSON. */
  request(request: ServiceRequest, signal: AbortSignal): Promise<unknown>;
}

export interface OpenServicesPorts {
  readonly host: Host;
  /** Reaches every program on the vault. */
  readonly notifier: Notifier;
  /** Tells every program on the vault of something. */
  readonly emit: (event: ServiceEvent) => void;
}

export interface OwnedVaultPorts {
  readonly notifier: Notifier;
  readonly openHost: (role: HostRole) => Promise<Host>;
  /** Reads settings and agreements again and applies them to the host. */
  readonly refresh: (host: Host) => Promise<void>;
  /** Whether newcomers are let in. */
  readonly mayAttach: () => boolean;
  /** Answers a program that wants to own the vault instead. */
  readonly handOver: () => Promise<boolean>;
  /** Starts what runs besides the host; must not take long, since the program waits for it. */
  readonly openServices?: (ports: OpenServicesPorts) => OwnerServices;
  /** Hears what the services tell. */
  readonly onServiceEvent?: (event: ServiceEvent) => void;
  /** Hears of every face that attaches or leaves. */
  readonly onFace?: (change: 'attached' | 'left', face: FaceInfo) => void;
  readonly earlier?: EarlierHost;
  readonly deposed?: OwnerInfo;
}

/** The host of a vault that this process owns, with the faces that are attached to it. */
export class OwnedVault implements AsyncDisposable {
  readonly kind = 'own';
  readonly host: Host;
  /** The sessions as this program uses them. */
  readonly sessions: ProgramSessions;
  readonly #lease: Lease;
  readonly #faces: Set<AttachedFace>;
  readonly #services: OwnerServices | undefined;
  #isHeld = true;
  #checkedAt = performance.now();
  #refreshing: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** Opens the host under a lease, which is given back if that fails. */
  static async open(lease: Lease, ports: OwnedVaultPorts): Promise<OwnedVault> {
    const { notifier, earlier, deposed } = ports;
    const faces = new Set<AttachedFace>();
    try {
      const everybody: Notifier = {
        notify(notice) {
          notifier.notify(notice);
          for (const face of faces) face.notify(notice);
        },
      };
      const host = await ports.openHost({
        notifier: everybody,
        fence: () => (lease.isHeld() ? undefined : deposedError()),
        askSecret: (name) => firstSecret([...faces], name),
        ...(earlier && { earlier }),
        ...(deposed && { deposed }),
      });
      const services = ports.openServices?.({
        host,
        notifier: everybody,
        emit(event) {
          ports.onServiceEvent?.(event);
          for (const face of faces) face.tell(event);
        },
      });
      return new OwnedVault(lease, host, faces, ports, services);
    } catch (error) {
      await lease[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(
    lease: Lease,
    host: Host,
    faces: Set<AttachedFace>,
    ports: OwnedVaultPorts,
    services: OwnerServices | undefined,
  ) {
    this.host = host;
    this.#services = services;
    this.#lease = lease;
    this.#faces = faces;
    const held = new HeldSessions(host.sessions);
    this.sessions = held.forProgram();
    // One after the other, so that an older reading never comes after a newer one. What cannot be read changes
    // nothing; whoever watches the file says so.
    const refresh = () => {
      this.#refreshing = this.#refreshing.then(() => ports.refresh(host)).catch(() => undefined);
      return this.#refreshing;
    };
    lease.accept((socket) => {
      if (!ports.mayAttach()) {
        socket.destroy();
        return;
      }
      const face = serveFace(socket, {
        host,
        sessions: held.forProgram(),
        isHeld: () => this.isHeld(),
        status: () => this.status(),
        refresh,
        handOver: ports.handOver,
        service: (request, signal) => this.request(request, signal),
        onHello: (info) => ports.onFace?.('attached', info),
      });
      faces.add(face);
      void face.closed.then(() => {
        faces.delete(face);
        if (face.info !== undefined) ports.onFace?.('left', face.info);
      });
    });
  }

  /** False once another program has taken the lease over, which nobody does within a moment. */
  isHeld(): boolean {
    const now = performance.now();
    if (this.#isHeld && now - this.#checkedAt > unquestionedMs) {
      this.#isHeld = this.#lease.isHeld();
      this.#checkedAt = now;
    }
    return this.#isHeld;
  }

  status(): OwnerStatus {
    const { servers, calls, tracker, sessions } = this.host;
    return {
      owner: this.#lease.info,
      faces: [...this.#faces].flatMap(({ info }) => info ?? []),
      servers: servers.snapshots(),
      calls,
      isStopped: tracker.stopped,
      sessions: [...sessions.used()],
    };
  }

  /** Asks a service of this program. */
  async request(request: ServiceRequest, signal: AbortSignal): Promise<unknown> {
    if (this.#services === undefined) throw new Error(`There is no service "${request.service}".`);
    return this.#services.request(request, signal);
  }

  /** Tells the faces that another program takes the place of this one. */
  sayLeaving(): void {
    for (const face of this.#faces) face.sayLeaving();
  }

  /** The faces see at once that this owner leaves; another can take its place when nothing runs here any more. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const face of this.#faces) face.close();
    // Before the host, which they use, and before another program can own the vault and run the same.
    try {
      await this.#services?.[Symbol.asyncDispose]();
    } finally {
      await this.host[Symbol.asyncDispose]();
      await this.#lease[Symbol.asyncDispose]();
    }
  }
}

/** For so long after a look at it the lease counts as held: an owner is given longer before it is deposed. */
const unquestionedMs = 200;

/** The value that the first face has, without waiting for those that do not answer. */
async function firstSecret(
  faces: readonly AttachedFace[],
  name: string,
): Promise<string | undefined> {
  const found = faces.map(async (face) => {
    const value = await face.secret(name);
    if (value === undefined) throw new Error('This face does not have it.');
    return value;
  });
  return Promise.any(found).catch(() => undefined);
}

function deposedError(): HostError {
  const message = 'Another program has taken over the servers of this vault.';
  return new HostError('owner_lost', message, { neverSent: true });
}
