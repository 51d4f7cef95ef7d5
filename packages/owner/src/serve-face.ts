import type { Socket } from 'node:net';
import {
  type Caller,
  type ExecuteOptions,
  type Host,
  HostError,
  type HostEvent,
  type Notice,
  type ToolInvocationRequest,
} from '@errand/host';
import type { OwnerInfo } from './lease/owner-info.ts';
import type {
  ExecuteParams,
  FaceInfo,
  FaceMethods,
  HostState,
  OwnerMethods,
  OwnerStatus,
  SentEvent,
  ServerState,
} from './protocol.ts';
import { infoOf, type Methods, RpcPeer } from './rpc-peer.ts';
import { isRepeatable, sentOutcome } from './sent-outcome.ts';

/** What the owner's side of a connection needs. */
export interface ServeFacePorts {
  readonly owner: OwnerInfo;
  readonly host: Host;
  readonly faces: () => readonly FaceInfo[];
  /** Reads settings and agreements again. */
  readonly refresh: () => Promise<void>;
  /** Resolves when the face may take the lease, or with false when this program keeps it. */
  readonly handOver: () => Promise<boolean>;
}

/** A face that is attached to this process. */
export interface AttachedFace {
  readonly info: FaceInfo | undefined;
  readonly closed: Promise<void>;
  notify(notice: Notice): void;
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
  #unsubscribe: (() => void) | undefined;
  #events: SentEvent[] = [];
  /** The tools that were sent last, by server. */
  readonly #sentTools = new Map<string, unknown>();
  /** The sessions that this face counts in. */
  readonly #sessions = new Set<string>();

  constructor(socket: Socket, ports: ServeFacePorts, number: number) {
    this.#ports = ports;
    this.#number = number;
    this.#peer = new RpcPeer<FaceMethods, OwnerMethods>(socket, this.#methods());
    this.closed = this.#peer.closed;
    void this.closed.then(() => this.#unsubscribe?.());
  }

  notify(notice: Notice): void {
    if (this.info?.isWatching) this.#peer.notify('notice', { notice });
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
    const { host, owner, faces } = this.#ports;
    const { servers, sessions } = host;
    return {
      hello: (info) => this.#welcome(info),
      ping: () => ({}),
      status: (): OwnerStatus => ({ owner, faces: faces() }),
      refresh: async () => {
        this.#refreshing = this.#ports.refresh();
        await this.#refreshing;
        this.#refreshing = undefined;
        this.#flush();
        return undefined;
      },
      execute: async (params, { signal }) => this.#execute(params, signal),
      cancel: ({ requestId }) => nothing(host.cancel(requestId)),
      stop: () => nothing(host.stop()),
      resume: () => nothing(host.resume()),
      tools: async ({ serverId, isFresh }, { signal }) => {
        await this.#refreshing;
        const tools = isFresh
          ? await servers.refreshTools(serverId, signal)
          : await servers.tools(serverId, signal);
        this.#flush();
        return { tools };
      },
      details: ({ serverId }) => servers.details(serverId),
      'start-servers': () => nothing(servers.start()),
      'try-now': async ({ serverId }) => {
        await this.#refreshing;
        return nothing(servers.tryNow(serverId));
      },
      'set-enabled': async ({ serverId, enabled }, { signal }) => {
        await this.#refreshing;
        await servers.setEnabled(serverId, enabled, signal);
        return nothing(this.#flush());
      },
      'limit-session': ({ sessionId, limit }) => nothing(sessions.setLimit(sessionId, limit)),
      'quiet-session': ({ sessionId }) => nothing(sessions.suppressWarning(sessionId)),
      'reset-session': ({ sessionId }) => nothing(sessions.reset(sessionId)),
      'close-session': ({ sessionId }) => nothing(sessions.close(sessionId)),
      'rename-session': ({ sessionId, to }) => nothing(sessions.rename(sessionId, to)),
      'hand-over': async () => ({ isGranted: await this.#ports.handOver() }),
    };
  }

  #welcome(info: FaceInfo): HostState {
    const { host } = this.#ports;
    this.info = info;
    this.#unsubscribe ??= host.events.subscribe((event) => this.#follow(event));
    const { settings } = host.servers;
    return {
      settings,
      servers: this.#serverStates(),
      tools: info.isWatching ? settings.mcpServers.flatMap(({ id }) => this.#newTools(id)) : [],
      sessions: [...host.sessions.used()],
      calls: host.calls,
      totalExecuted: host.tracker.totalExecuted,
      isStopped: host.tracker.stopped,
    };
  }

  async #execute({ call, request, ...params }: ExecuteParams, signal: AbortSignal) {
    await this.#refreshing;
    this.#sessions.add(request.sessionId);
    const options = this.#optionsFor(call, request, params, signal);
    const outcome = await this.#ports.host.execute(request, options);
    this.#flush();
    return { outcome: sentOutcome(outcome) };
  }

  #optionsFor(
    call: number,
    { serverId, toolName }: ToolInvocationRequest,
    { wants, client, refusal, progressExtends, meta }: Omit<ExecuteParams, 'call' | 'request'>,
    signal: AbortSignal,
  ): ExecuteOptions {
    const peer = this.#peer;
    const tool = () => this.#ports.host.servers.lastTools(serverId)?.get(toolName);
    return {
      signal,
      caller: this.#callerOf(call, client, wants),
      onState: (state) =>
        peer.notify('state', { call, state, isRepeatable: isRepeatable(tool()) }),
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

  #follow(event: HostEvent): void {
    const sent = this.#sent(event);
    if (sent.length === 0) return;
    if (this.#events.length === 0) setImmediate(() => this.#flush());
    this.#events.push(...sent);
  }

  /** Sends the events that wait, so that an answer never comes before what led to it. */
  #flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#peer.notify('events', { events });
  }

  #sent(event: HostEvent): readonly SentEvent[] {
    const { host } = this.#ports;
    const isWatching = this.info?.isWatching ?? false;
    switch (event.kind) {
      case 'settings-changed': {
        const { settings } = host.servers;
        return [{ kind: 'settings-changed', settings, servers: this.#serverStates() }];
      }
      case 'server-changed': {
        const { id } = event.snapshot.config;
        const progress = host.servers.progress(id);
        return [...this.#newToolEvents(id), { ...event, progress }];
      }
      case 'server-connected':
      case 'tools-changed':
        return [...this.#newToolEvents(event.serverId), event];
      case 'calls-stopped':
        return [{ kind: event.kind, reason: infoOf(event.reason) }];
      case 'session-changed': {
        const { sessionId } = event;
        if (!isWatching && !this.#sessions.has(sessionId)) return [];
        return [{ kind: 'session-usage', sessionId, usage: host.sessions.usage(sessionId) }];
      }
      case 'call-finished':
        return isWatching ? [{ ...event, outcome: sentOutcome(event.outcome) }] : [];
      case 'call-queued':
      case 'call-started':
      case 'call-progress':
        return isWatching ? [event] : [];
      default:
        return [event];
    }
  }

  #serverStates(): readonly ServerState[] {
    const { servers } = this.#ports.host;
    return servers.snapshots().map((snapshot) => {
      return { snapshot, progress: servers.progress(snapshot.config.id) };
    });
  }

  #newToolEvents(serverId: string): readonly SentEvent[] {
    if (!this.info?.isWatching) return [];
    return this.#newTools(serverId).map((tools) => ({ kind: 'tools', ...tools }));
  }

  #newTools(serverId: string) {
    const tools = this.#ports.host.servers.lastTools(serverId);
    if (tools === undefined || this.#sentTools.get(serverId) === tools) return [];
    this.#sentTools.set(serverId, tools);
    return [{ serverId, tools: [...tools.values()] }];
  }
}

/** Milliseconds that a face has to look into its store. */
const secretPatience = 3_000;

function nothing(_: void): undefined {
  return undefined;
}
