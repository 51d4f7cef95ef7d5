import type { Clock } from '../clock.ts';
import type { Connector } from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { Notifier } from '../notifier.ts';
import type { ServerConfig } from '../settings.ts';
import { startTimer } from '../start-timer.ts';
import { LiveConnection } from './live-connection.ts';
import { nextServerState } from './next-server-state.ts';
import { asConnectError, openServer } from './open-server.ts';
import {
  type HealthChange,
  initialServerState,
  type RetryPlan,
  type ServerAnnouncement,
  type ServerEffect,
  type ServerEvent,
  type ServerState,
} from './server-state.ts';
import type { StartGate } from './start-gate.ts';

/** What a runner needs from the world. */
export interface RunnerPorts {
  readonly connector: (server: ServerConfig) => Connector;
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly plan: RetryPlan;
  readonly gate: StartGate;
  readonly random: () => number;
  readonly mayStart: (server: ServerConfig) => HostError | undefined;
  readonly save: (serverId: string, change: HealthChange) => void;
  readonly announce: (server: ServerConfig, event: ServerAnnouncement) => void;
  /** Told after every change of state. */
  readonly onChange: (server: ServerConfig) => void;
}

/** Lives one server's life: keeps its state, carries out its effects, lets calls wait for it. */
export class ServerRunner {
  server: ServerConfig;
  readonly #ports: RunnerPorts;
  readonly #waiting = new Set<Waiter>();
  /** Connections that are not closed yet, those that only finish their calls included. */
  readonly #connections = new Set<LiveConnection>();
  readonly #work = new Set<Promise<void>>();
  #state: ServerState;
  #live: LiveConnection | undefined;
  #attempt: AbortController | undefined;
  #timer: Disposable | undefined;

  constructor(server: ServerConfig, ports: RunnerPorts) {
    this.server = server;
    this.#ports = ports;
    this.#state = initialServerState(server);
  }

  get state(): ServerState {
    return this.#state;
  }

  /** The connection, if there is one now. */
  get live(): LiveConnection | undefined {
    return this.#live;
  }

  dispatch(event: ServerEvent): void {
    const { clock, plan, random, onChange } = this.#ports;
    const before = this.#state;
    const { state, effects } = nextServerState(before, event, {
      name: this.server.name,
      isRemote: this.server.deploymentType === 'external',
      now: clock.now(),
      random: random(),
      plan,
    });
    if (state === before && effects.length === 0) return;
    this.#state = state;
    if (state.dueAt !== before.dueAt || state.round !== before.round) this.#arm();
    for (const effect of effects) this.#carryOut(effect);
    onChange(this.server);
  }

  /** The connection, started if need be. Rejects when the server is off, failed to start or was given up. */
  ready(signal: AbortSignal): Promise<LiveConnection> {
    if (this.#live !== undefined) return Promise.resolve(this.#live);
    this.dispatch({ kind: 'used' });
    const refusal = this.#refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.delete(waiter);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        resolve,
        reject,
        leave: () => signal.removeEventListener('abort', abort),
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiter);
      if (signal.aborted) abort();
    });
  }

  /** Why a call to this server is refused while it is switched off. */
  disabledError(): HostError {
    const { name, autoDisabled } = this.server;
    const { reason } = this.#state;
    const why = autoDisabled || reason ? ` It was auto-disabled after repeated failures.` : '';
    const last = reason ? ` The last one: ${reason.message}` : '';
    return new HostError(
      'server_disabled',
      `Server ${name} is disabled.${why}${last} Enable it with: errand servers enable ${name}`,
      { server: name, neverSent: true },
    );
  }

  /** Waits until every connection, also one that finishes its calls, is closed. */
  async drained(): Promise<void> {
    await Promise.all([...this.#connections].map((live) => live.closed));
    await Promise.all(this.#work);
  }

  /** Ends everything and waits until it is gone. */
  async close(reason: HostError): Promise<void> {
    this.dispatch({ kind: 'closed', reason });
    await Promise.all([...this.#connections].map((live) => live.close()));
    await Promise.all(this.#work);
  }

  #carryOut(effect: ServerEffect): void {
    switch (effect.kind) {
      case 'connect':
        this.#track(this.#connect(effect.round));
        return;
      case 'retire-connection':
        this.#attempt?.abort(new HostError('cancelled', 'The server is no longer wanted.'));
        this.#live?.retire();
        this.#live = undefined;
        return;
      case 'drop-connection':
        if (this.#live !== undefined) this.#track(this.#live.close());
        this.#live = undefined;
        return;
      case 'check-health':
        this.#track(this.#checkHealth(effect.round));
        return;
      case 'fail-waiting':
        for (const waiter of this.#takeWaiting()) waiter.reject(effect.error);
        return;
      case 'save':
        this.#ports.save(this.server.id, effect.change);
        return;
      case 'notify':
        this.#ports.notifier.notify(effect.notice);
        return;
      case 'announce':
        this.#ports.announce(this.server, effect.event);
        return;
    }
  }

  async #connect(round: number): Promise<void> {
    const { connector, clock, plan, gate, mayStart } = this.#ports;
    const attempt = new AbortController();
    this.#attempt = attempt;
    try {
      const refusal = mayStart(this.server);
      if (refusal !== undefined) throw refusal;
      const { signal } = attempt;
      const opened = await openServer(this.server, {
        connector: connector(this.server),
        clock,
        plan,
        gate,
        signal,
      });
      const live = new LiveConnection(opened, clock, (tools) =>
        this.dispatch({ kind: 'tools-changed', round, toolCount: tools.size }),
      );
      if (signal.aborted || round !== this.#state.round) {
        await live.close();
        return;
      }
      this.#live = live;
      this.#connections.add(live);
      this.dispatch({ kind: 'connect-done', round, toolCount: opened.tools.length });
      for (const waiter of this.#takeWaiting()) waiter.resolve(live);
      this.#watch(live, round);
    } catch (cause) {
      const error = asConnectError(cause, this.server);
      this.dispatch({ kind: 'connect-failed', round, error });
    }
  }

  #watch(live: LiveConnection, round: number): void {
    const { connection, closed } = live;
    void connection.lost.then((error) => this.dispatch({ kind: 'connection-lost', round, error }));
    void closed.then(() => this.#connections.delete(live));
  }

  async #checkHealth(round: number): Promise<void> {
    const { clock, plan } = this.#ports;
    const live = this.#live;
    if (live === undefined) return;
    const startedAt = clock.now();
    const late = new AbortController();
    using _timer = startTimer(clock, plan.healthDeadline, () => late.abort());
    const isGood = await live.connection
      .ping(AbortSignal.any([late.signal, live.ended]))
      .then(() => true)
      .catch(() => false);
    if (isGood) this.dispatch({ kind: 'health-good', round, latency: clock.now() - startedAt });
    else this.dispatch({ kind: 'health-missed', round, isBusy: live.isBusy });
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const { dueAt, round } = this.#state;
    if (dueAt === undefined) return;
    const { clock } = this.#ports;
    this.#timer = startTimer(clock, dueAt - clock.now(), () =>
      this.dispatch({ kind: 'timer-fired', round }),
    );
  }

  #takeWaiting(): readonly Waiter[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const waiter of waiting) waiter.leave();
    return waiting;
  }

  #refusal(): HostError | undefined {
    const { phase, reason, isRecovering, dueAt } = this.#state;
    if (phase === 'disabled') return this.disabledError();
    if (reason === undefined || isRecovering || !(phase === 'error' || phase === 'closed')) return;
    const wait = dueAt === undefined ? 0 : Math.ceil((dueAt - this.#ports.clock.now()) / 1000);
    const message = wait > 0 ? `${reason.message} Next try in ${wait} s.` : reason.message;
    const facts = { ...reason.facts, server: this.server.name, neverSent: true };
    return new HostError(reason.code, message, facts, { cause: reason });
  }

  #track(work: Promise<void>): void {
    const done = work.finally(() => this.#work.delete(done));
    this.#work.add(done);
  }
}

interface Waiter {
  readonly resolve: (live: LiveConnection) => void;
  readonly reject: (error: HostError) => void;
  readonly leave: () => void;
}
