import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ActiveExecution,
  type CallOutcome,
  type ExecuteOptions,
  type ExecutionRecord,
  type ExecutionTracker,
  HostError,
  type HostEvent,
  type HostEvents,
  Listeners,
  type OnFault,
  type ToolInvocationRequest,
} from '@errand/host';
import { onAbort } from '@errand/wire';
import { type AnswerPorts, answerOwner } from './answer-owner.ts';
import type { OwnerInfo } from './lease/owner-info.ts';
import { LendingFace } from './lent-servers.ts';
import { MirroredServers, type MirrorPorts, type OwnerPeer } from './mirrored-servers.ts';
import { MirroredSessions } from './mirrored-sessions.ts';
import { OwnerLost } from './owner-lost.ts';
import type {
  FaceInfo,
  FaceMethods,
  HostState,
  OwnerMethods,
  OwnerStatus,
  SentEvent,
  ServiceEvent,
  ServiceRequest,
} from './protocol.ts';
import { infoOf, PeerGone, RpcPeer } from './rpc-peer.ts';
import { isRepeatable, receivedOutcome } from './sent-outcome.ts';
import { watchOwner } from './watch-owner.ts';

export interface AttachPorts extends AnswerPorts, Pick<MirrorPorts, 'trust' | 'realNotePath'> {
  readonly face: FaceInfo;
  readonly onFault: OnFault;
  /** Hears what the services of the owner tell. */
  readonly onServiceEvent?: (event: ServiceEvent) => void;
}

export interface AttachOptions {
  readonly signal: AbortSignal;
  /** Called when the owner says that another program takes its place: it answers what it was asked, but takes nothing new. */
  readonly onLeaving: () => void;
}

interface OpenCall {
  readonly options: ExecuteOptions;
  isStarted: boolean;
  isRepeatable: boolean;
}

const keptHistory = 1_000;

/** How long an owner may take to read what was saved last. */
const lastWordMs = 2_000;

/** The host of a vault that another program owns, seen over that program's socket. */
export class AttachedHost {
  readonly owner: OwnerInfo;
  readonly servers: MirroredServers;
  readonly sessions: MirroredSessions;
  readonly events: HostEvents;
  readonly #peer: OwnerPeer;
  readonly #ports: AttachPorts;
  readonly #open = new Map<number, OpenCall>();
  readonly #calls = new Map<string, ActiveExecution>();
  readonly #history: ExecutionRecord[] = [];
  #lastCall = 0;
  #totalExecuted: number;
  #isStopped: boolean;

  /** Attaches to the owner at the other end of a socket. Rejects with `PeerGone` when it leaves meanwhile. */
  static async attach(
    socket: Socket,
    owner: OwnerInfo,
    ports: AttachPorts,
    { signal, onLeaving }: AttachOptions,
  ): Promise<AttachedHost> {
    let attached: AttachedHost | undefined;
    const optionsOf = (call: number) => {
      const open = attached === undefined ? undefined : attached.#open.get(call);
      // What was not asked for must not be approved.
      if (open === undefined) throw new Error('There is no such call.');
      return open.options;
    };
    const early: SentEvent[] = [];
    const lending = new LendingFace();
    const peer: OwnerPeer = new RpcPeer<OwnerMethods, FaceMethods>(socket, {
      ...answerOwner(optionsOf, ports),
      ...lending.methods,
      leaving: onLeaving,
      'service-event': (event) => ports.onServiceEvent?.(event),
      state(params) {
        if (attached !== undefined) attached.#enter(params);
      },
      events({ events }) {
        if (attached === undefined) early.push(...events);
        else for (const event of events) attached.#follow(event);
      },
    });
    const state = await whileAlive(peer, owner, signal, () => peer.request('hello', ports.face));
    attached = new AttachedHost(peer, owner, state, { ...ports, lending });
    for (const event of early) attached.#follow(event);
    return attached;
  }

  private constructor(
    peer: OwnerPeer,
    owner: OwnerInfo,
    state: HostState,
    ports: AttachPorts & Pick<MirrorPorts, 'lending'>,
  ) {
    this.owner = owner;
    this.#peer = peer;
    this.#ports = ports;
    this.events = new Listeners<HostEvent>(ports.onFault);
    this.servers = new MirroredServers(peer, state, {
      ...ports,
      onSettingsChanged: () => this.events.emit({ kind: 'settings-changed' }),
    });
    this.sessions = new MirroredSessions(peer, state.sessions, {
      defaultLimit: () => this.servers.settings.mcpSessionLimit,
      onChange: (sessionId) => this.events.emit({ kind: 'session-changed', sessionId }),
    });
    for (const call of state.calls) this.#calls.set(call.request.id, call);
    this.#totalExecuted = state.totalExecuted;
    this.#isStopped = state.isStopped;
  }

  /** Resolves when the owner has left. */
  get closed(): Promise<void> {
    return this.#peer.closed;
  }

  get tracker(): ExecutionTracker {
    const { mcpConcurrentLimit, mcpSessionLimit } = this.servers.settings;
    const started = [...this.#calls.values()].filter(({ startedAt }) => startedAt !== undefined);
    return {
      concurrentLimit: mcpConcurrentLimit,
      sessionLimit: mcpSessionLimit,
      activeExecutions: new Set(started.map(({ request }) => request.id)),
      totalExecuted: this.#totalExecuted,
      stopped: this.#isStopped,
      executionHistory: this.#history,
    };
  }

  get calls(): readonly ActiveExecution[] {
    return [...this.#calls.values()];
  }

  /** Rejects with `OwnerLost` when the owner leaves before it answers. */
  async execute(
    request: ToolInvocationRequest,
    options: ExecuteOptions = {},
  ): Promise<CallOutcome> {
    this.#lastCall += 1;
    const call = this.#lastCall;
    const { caller, progressExtends, meta } = options;
    const refusal = options.allows?.(request);
    const open: OpenCall = { options, isStarted: false, isRepeatable: false };
    this.#open.set(call, open);
    try {
      const { outcome } = await this.#peer.request(
        'execute',
        {
          call,
          request,
          wants: {
            progress: options.onProgress !== undefined,
            types: options.typeParameters !== undefined,
            approves: options.approve !== undefined,
            elicits: (caller ?? this.#ports).elicitor !== undefined,
            samples: caller?.sampler !== undefined,
          },
          ...(caller && { client: caller.owner }),
          ...(refusal && { refusal: infoOf(refusal) }),
          ...(progressExtends && { progressExtends }),
          ...(meta && { meta }),
        },
        { signal: options.signal },
      );
      return receivedOutcome(outcome);
    } catch (error) {
      if (!(error instanceof PeerGone)) throw error;
      throw new OwnerLost(this.owner, {
        wasStarted: open.isStarted,
        mayRepeat: open.isRepeatable || isRepeatable(this, request),
        wasNeverSent: error.neverSent,
      });
    } finally {
      this.#open.delete(call);
    }
  }

  cancel(requestId: string): void {
    this.#peer.notify('cancel', { requestId });
  }

  stop(): void {
    this.#peer.notify('stop', {});
  }

  resume(): void {
    this.#peer.notify('resume', {});
  }

  /** Lets the owner read settings and agreements again before anything that is asked later. */
  async refresh(): Promise<void> {
    await this.#peer.request('refresh', {});
  }

  status(): Promise<OwnerStatus> {
    return this.#peer.request('status', {});
  }

  /** Asks a service of the owner. */
  async request(request: ServiceRequest, signal?: AbortSignal): Promise<unknown> {
    return (await this.#peer.request('service', request, { signal })).value;
  }

  async askToHandOver(signal: AbortSignal): Promise<boolean> {
    const ask = () => this.#peer.request('hand-over', {});
    return (await whileAlive(this.#peer, this.owner, signal, ask)).isGranted;
  }

  /** Resolves when the owner answered. */
  async ping(): Promise<void> {
    await this.#peer.request('ping', {});
  }

  /** Leaves once the owner has read what was saved here, so that the next program finds it in effect. */
  async close(): Promise<void> {
    const late = new AbortController();
    const patience = sleep(lastWordMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.servers.applied, patience]);
    late.abort();
    this.#peer.close();
  }

  #enter({ call, state, isRepeatable }: FaceMethods['state']['params']): void {
    const open = this.#open.get(call);
    if (open === undefined) return;
    if (state.status === 'executing') open.isStarted = true;
    open.isRepeatable = isRepeatable;
    open.options.onState?.(state);
  }

  #follow(event: SentEvent): void {
    switch (event.kind) {
      case 'settings-changed':
        this.servers.followSettings(event.settings, event.servers);
        return;
      case 'server-changed':
        this.servers.follow(event);
        this.events.emit({ kind: 'server-changed', snapshot: event.snapshot });
        return;
      case 'tools':
        this.servers.followTools(event.serverId, event.tools);
        return;
      case 'session-usage':
        this.sessions.follow(event.sessionId, event.usage);
        return;
      case 'calls-stopped':
        this.#isStopped = true;
        this.events.emit({ kind: 'calls-stopped', reason: HostError.of(event.reason) });
        return;
      case 'calls-resumed':
        this.#isStopped = false;
        break;
      case 'call-queued':
        this.#calls.set(event.request.id, { request: event.request, submittedAt: Date.now() });
        break;
      case 'call-started':
        this.#started(event.request);
        break;
      case 'call-finished':
        this.#ended(event.request, receivedOutcome(event.outcome));
        return;
    }
    this.events.emit(event);
  }

  #started(request: ToolInvocationRequest): void {
    const now = Date.now();
    const submittedAt = this.#calls.get(request.id)?.submittedAt ?? now;
    this.#calls.set(request.id, { request, submittedAt, startedAt: now });
    this.#totalExecuted += 1;
  }

  #ended(request: ToolInvocationRequest, outcome: CallOutcome): void {
    const timestamp = this.#calls.get(request.id)?.startedAt;
    this.#calls.delete(request.id);
    if (timestamp !== undefined) {
      const { id: requestId, serverId, toolName } = request;
      const status = outcome.status === 'success' ? 'success' : 'error';
      const duration = outcome.durationMs;
      this.#history.push({ requestId, serverId, toolName, timestamp, duration, status });
      if (this.#history.length > keptHistory) this.#history.shift();
    }
    this.events.emit({ kind: 'call-finished', request, outcome });
  }
}

/** Waits for an owner as long as it lives and is wanted; closes the connection otherwise. */
async function whileAlive<Result>(
  peer: OwnerPeer,
  owner: OwnerInfo,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  using _aborting = onAbort(signal, () => peer.close());
  const ping = () => peer.request('ping', {});
  void watchOwner({ owner, ping }, done.signal).then((lost) => lost && peer.close());
  try {
    return await work();
  } finally {
    done.abort();
  }
}
