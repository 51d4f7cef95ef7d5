import type { Socket } from 'node:net';
import {
  type Caller,
  type ExecuteOptions,
  type Host,
  HostError,
  type Notice,
  type ToolInvocationRequest,
} from '@errand/host';
import { EventOutbox } from './event-outbox.ts';
import type { ProgramSessions } from './held-sessions.ts';
import { BorrowedServers } from './lent-servers.ts';
import type {
  ExecuteParams,
  FaceInfo,
  FaceMethods,
  HostState,
  OwnerMethods,
  OwnerStatus,
  ServiceEvent,
  ServiceRequest,
} from './protocol.ts';
import { type Methods, PeerGone, RpcPeer } from './rpc-peer.ts';
import { isRepeatable, sentOutcome } from './sent-outcome.ts';

/** What the owner's side of a connection needs. */
export interface ServeFacePorts {
  readonly host: Host;
  /** The sessions as this face uses them. */
  readonly sessions: ProgramSessions;
  /** Whether this process still owns the vault. */
  readonly isHeld: () => boolean;
  readonly status: () => OwnerStatus;
  /** Reads settings and agreements again; never rejects. */
  readonly refresh: () => Promise<void>;
  /** Resolves when the face may take the lease, or with false when this program keeps it. */
  readonly handOver: () => Promise<boolean>;
  /** Asks one of the services of this program. */
  readonly service: (request: ServiceRequest, signal: AbortSignal) => Promise<unknown>;
  /** Called once the face has said who it is. */
  readonly onHello: (info: FaceInfo) => void;
}

/** A face that is attached to this process. */
export interface AttachedFace {
  readonly info: FaceInfo | undefined;
  readonly closed: Promise<void>;
  notify(notice: Notice): void;
  tell(event: ServiceEvent): void;
  /** Undefined when the face has no such secret, or does not answer. */
  secret(name: string): Promise<string | undefined>;
  sayLeaving(): void;
  close(): void;
}

let facesSoFar = 0;

/** Lets the program at the other end of a socket use this host as if it were its own. */
export function serveFace(socket: Socket, ports: ServeFacePorts): AttachedFace {
  facesSoFar += 1;
  const face = new Face(socket, ports, facesSoFar);
  return face;
}

class Face implements AttachedFace {
  info: FaceInfo | undefined;
  readonly closed: Promise<void>;
  readonly #ports: ServeFacePorts;
  readonly #number: number;
  readonly #peer: RpcPeer<FaceMethods, OwnerMethods>;
  /** What the face has to see before the answer to anything that it asks later. */
  #refreshing: Promise<void> | undefined;
  readonly #borrowed = new BorrowedServers();
  readonly #subscriptions = new Map<number, Disposable>();
  #outbox: EventOutbox | undefined;

  constructor(socket: Socket, ports: ServeFacePorts, number: number) {
    this.#ports = ports;
    this.#number = number;
    this.#peer = new RpcPeer<FaceMethods, OwnerMethods>(socket, this.#methods());
    this.closed = this.#peer.closed;
    void this.closed.then(() => {
      this.#outbox?.[Symbol.dispose]();
      this.#borrowed[Symbol.dispose]();
      for (const lease of this.#subscriptions.values()) lease[Symbol.dispose]();
      ports.sessions[Symbol.dispose]();
    });
  }

  notify(notice: Notice): void {
    if (this.info?.isWatching) this.#peer.notify('notice', { notice });
  }

  tell(event: ServiceEvent): void {
    if (this.info?.isWatching) this.#peer.notify('service-event', event);
  }

  async secret(name: string): Promise<string | undefined> {
    const late = AbortSignal.timeout(secretPatience);
    const answer = this.#peer.request('secret', { name }, { signal: late });
    const timeOut = new Promise<undefined>((resolve) => {
      late.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    return (await Promise.race([answer.catch(() => undefined), timeOut]))?.value;
  }

  sayLeaving(): void {
    this.#peer.notify('leaving', {});
  }

  close(): void {
    this.#peer.close();
  }

  #methods(): Methods<OwnerMethods> {
    const { host, sessions, status } = this.#ports;
    const { servers } = host;
    return {
      hello: (info) => this.#welcome(info),
      ping: () => ({}),
      status,
      refresh: async () => {
        const refreshing = this.#ports.refresh();
        this.#refreshing = refreshing;
        await refreshing;
        if (this.#refreshing === refreshing) this.#refreshing = undefined;
        this.#outbox?.flush();
      },
      execute: async (params, { signal }) => this.#execute(params, signal),
      cancel: ({ requestId }) => host.cancel(requestId),
      stop: () => host.stop(),
      resume: () => host.resume(),
      tools: async ({ serverId, isFresh }, { signal }) => {
        await this.#refreshing;
        const tools = isFresh
          ? await servers.refreshTools(serverId, signal)
          : await servers.tools(serverId, signal);
        this.#outbox?.flush();
        return { tools };
      },
      details: async ({ serverId }) => {
        await this.#refreshing;
        return servers.details(serverId);
      },
      content: async ({ serverId, request }, { signal }) => {
        await this.#refreshing;
        return { content: await servers.content(serverId, request, signal) };
      },
      subscribe: async ({ serverId, uri, subscription }, { signal }) => {
        await this.#refreshing;
        const lease = await servers.subscribe(serverId, uri, signal);
        // A face that left meanwhile cannot end its subscription itself.
        if (signal.aborted) lease[Symbol.dispose]();
        else this.#subscriptions.set(subscription, lease);
      },
      unsubscribe: ({ subscription }) => {
        this.#subscriptions.get(subscription)?.[Symbol.dispose]();
        this.#subscriptions.delete(subscription);
      },
      'start-servers': () => servers.start(),
      'try-now': async ({ serverId }) => {
        await this.#refreshing;
        return servers.tryNow(serverId);
      },
      'set-enabled': async ({ serverId, enabled }, { signal }) => {
        await this.#refreshing;
        await servers.setEnabled(serverId, enabled, signal);
        return this.#outbox?.flush();
      },
      'limit-session': ({ sessionId, limit }) => {
        this.#outbox?.followSession(sessionId);
        sessions.setLimit(sessionId, limit);
      },
      'quiet-session': ({ sessionId }) => sessions.suppressWarning(sessionId),
      'reset-session': ({ sessionId }) => sessions.reset(sessionId),
      'close-session': ({ sessionId }) => sessions.close(sessionId),
      'rename-session': ({ sessionId, to }) => sessions.rename(sessionId, to),
      'restore-sessions': (params) => sessions.restore(new Map(params.sessions)),
      ...this.#borrowed.methods(host, () => this.#peer),
      service: async (request, { signal }) => ({
        value: await this.#ports.service(request, signal),
      }),
      'hand-over': async () => ({ isGranted: await this.#ports.handOver() }),
    };
  }

  #welcome(info: FaceInfo): HostState {
    const { host, onHello } = this.#ports;
    if (this.info === undefined) onHello(info);
    this.info = info;
    this.#outbox ??= new EventOutbox(host, info.isWatching, (events) =>
      this.#peer.notify('events', { events }),
    );
    return {
      settings: host.servers.settings,
      servers: this.#outbox.serverStates(),
      tools: this.#outbox.allTools(),
      sessions: [...host.sessions.used()],
      calls: host.calls,
      totalExecuted: host.tracker.totalExecuted,
      isStopped: host.tracker.stopped,
    };
  }

  async #execute({ call, request, ...params }: ExecuteParams, signal: AbortSignal) {
    await this.#refreshing;
    if (!this.#ports.isHeld()) {
      // Sent before this process was stopped; the face asks the new owner.
      this.close();
      throw new PeerGone('Another program owns the vault.');
    }
    // A face that left while settings were read must not hold a session.
    if (signal.aborted) throw new PeerGone('The program has left.');
    this.#ports.sessions.hold(request.sessionId);
    this.#outbox?.followSession(request.sessionId);
    const options = this.#optionsFor(call, request, params, signal);
    const outcome = await this.#ports.host.execute(request, options);
    this.#outbox?.flush();
    return { outcome: sentOutcome(outcome) };
  }

  #optionsFor(
    call: number,
    request: ToolInvocationRequest,
    { wants, client, refusal, progressExtends, meta }: Omit<ExecuteParams, 'call' | 'request'>,
    signal: AbortSignal,
  ): ExecuteOptions {
    const peer = this.#peer;
    const { host } = this.#ports;
    return {
      signal,
      caller: this.#callerOf(call, client, wants),
      onState: (state) =>
        peer.notify('state', { call, state, isRepeatable: isRepeatable(host, request) }),
      ...(wants.progress && {
        onProgress: (progress) => peer.notify('progress', { call, progress }),
      }),
      ...(progressExtends && { progressExtends }),
      ...(meta && { meta }),
      ...(refusal && { allows: () => HostError.of(refusal) }),
      ...(wants.types && {
        typeParameters: async (parameters, inputSchema) =>
          (await peer.request('type', { call, parameters, inputSchema }, { signal })).parameters,
      }),
      ...(wants.approves && {
        approve: async (asked, description, ending) => {
          const params = { call, request: asked, tool: description };
          const answer = await peer.request('approve', params, { signal: ending });
          if (answer.refusal !== undefined) return HostError.of(answer.refusal);
          return answer.wasAsked ? undefined : 'unasked';
        },
      }),
    };
  }

  /** What the server asks in the course of a face's call goes to that face, never to this program's person. */
  #callerOf(call: number, client: string | undefined, wants: ExecuteParams['wants']): Caller {
    const peer = this.#peer;
    return {
      owner: `face ${this.#number} ${client ?? ''}`,
      elicitor: {
        elicit: async (question, signal) =>
          wants.elicits
            ? peer.request('elicit', { call, question }, { signal })
            : { action: 'decline' },
      },
      ...(wants.samples && {
        sampler: {
          sample: async (request, signal) =>
            (await peer.request('sample', { call, request }, { signal })).answer,
        },
      }),
    };
  }
}

/** Milliseconds that a face has to look into its store. */
const secretPatience = 3_000;
