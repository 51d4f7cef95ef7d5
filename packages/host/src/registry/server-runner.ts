import type { Clock } from '../clock.ts';
import type { Connector, ConnectStep, ContentChange } from '../connection.ts';
import { catchFaults, describeFault, faultNotice } from '../events/catch-faults.ts';
import type { HealthRecord } from '../health-store.ts';
import { HostError } from '../host-error.ts';
import type { Notifier } from '../notifier.ts';
import type { ServerConfig } from '../settings.ts';
import { disabledError } from './disabled-error.ts';
import { ToolFilter } from './filter-tools.ts';
import {
  type HealthChange,
  initialLifecycleState,
  type LifecycleEffect,
  type LifecycleEvent,
  type LifecycleState,
  type RetryPlan,
  type ServerAnnouncement,
} from './lifecycle-state.ts';
import { LiveConnection } from './live-connection.ts';
import { nextLifecycleState } from './next-lifecycle-state.ts';
import { asConnectError, openServer } from './open-server.ts';
import type { StartGate } from './start-gate.ts';
import type { Tools } from './tool-list.ts';
import { WaitingCalls } from './waiting-calls.ts';

/** Dependencies of a server runner. */
export interface RunnerPorts {
  readonly connector: (server: ServerConfig) => Connector;
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly plan: RetryPlan;
  readonly gate: StartGate;
  readonly random: () => number;
  readonly mayStart: (server: ServerConfig) => HostError | undefined;
  readonly known: (serverId: string) => HealthRecord;
  readonly save: (serverId: string, change: HealthChange) => void;
  readonly announce: (server: ServerConfig, event: ServerAnnouncement) => void;
  readonly onContentChanged: (serverId: string, change: ContentChange) => void;
  /** Called after every change of state, and for every step of a connection attempt. */
  readonly onChange: (runner: ServerRunner) => void;
}

/** Lives one server's life: keeps its state, carries out its effects, lets calls wait for it. */
export class ServerRunner {
  server: ServerConfig;
  readonly #ports: RunnerPorts;
  readonly #filter = new ToolFilter();
  readonly #waiting = new WaitingCalls<LiveConnection>();
  /** Connections that are not closed yet, those that only finish their calls included. */
  readonly #connections = new Set<LiveConnection>();
  readonly #work = new Set<Promise<void>>();
  #state: LifecycleState;
  #live: LiveConnection | undefined;
  #lastTools: Tools | undefined;
  #lastOutput = '';
  #dropped: Promise<void> | undefined;
  #attempt: AbortController | undefined;
  #timer: Disposable | undefined;
  #step: ConnectStep | undefined;

  constructor(server: ServerConfig, ports: RunnerPorts) {
    this.server = server;
    this.#ports = ports;
    this.#state = initialLifecycleState(server, ports.known(server.id));
  }

  get state(): LifecycleState {
    return this.#state;
  }

  /** What the last connection attempt waited for most recently. */
  get step(): ConnectStep | undefined {
    return this.#step;
  }

  /** The connection, if there is one now. */
  get live(): LiveConnection | undefined {
    return this.#live;
  }

  /** The tools it listed last, on this connection or an earlier one, without those that its entry leaves out. */
  get knownTools(): Tools | undefined {
    const known = this.#live?.tools.known ?? this.#lastTools;
    return known && this.offered(known);
  }

  /** Those of its tools that its entry does not leave out. */
  offered(tools: Tools): Tools {
    return this.#filter.apply(tools, this.server.tools);
  }

  /** What the server printed last; of an earlier process, as long as a new one prints nothing. */
  get lastOutput(): string {
    const failed = this.#state.reason?.facts.lastOutput;
    return this.#live?.connection.lastOutput() || failed || this.#lastOutput;
  }

  dispatch(event: LifecycleEvent): void {
    const { clock, plan, random, onChange } = this.#ports;
    const before = this.#state;
    const { state, effects } = nextLifecycleState(before, event, {
      name: this.server.name,
      isRemote: this.server.deploymentType === 'external',
      now: clock.now(),
      random: random(),
      plan,
    });
    if (state === before && effects.length === 0) return;
    this.#state = state;
    if (state.dueAt !== before.dueAt || state.round !== before.round) this.#arm();
    const carryOut = catchFaults(
      (effect: LifecycleEffect) => this.#carryOut(effect),
      (error) => this.#reportFault(error),
    );
    for (const effect of effects) carryOut(effect);
    onChange(this);
  }

  /** The connection, started if need be. Rejects when the server is off, failed to start or was given up. */
  async ready(signal: AbortSignal): Promise<LiveConnection> {
    if (this.#live !== undefined) return this.#live;
    this.dispatch({ kind: 'used' });
    const refusal = this.#refusal();
    if (refusal !== undefined) throw refusal;
    return this.#waiting.wait(signal);
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

  #carryOut(effect: LifecycleEffect): void {
    switch (effect.kind) {
      case 'connect':
        this.#track(this.#connect(effect.round), effect.round);
        return;
      case 'retire-connection':
        this.#attempt?.abort(new HostError('cancelled', 'The server is no longer wanted.'));
        this.#forgetLive()?.retire();
        return;
      case 'drop-connection':
        this.#dropped = this.#forgetLive()?.close();
        return;
      case 'check-health':
        this.#track(this.#checkHealth(effect.round), effect.round);
        return;
      case 'fail-waiting':
        this.#waiting.reject(effect.error);
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

  #forgetLive(): LiveConnection | undefined {
    const live = this.#live;
    this.#lastTools = live?.tools.known ?? this.#lastTools;
    this.#lastOutput = this.lastOutput;
    this.#live = undefined;
    return live;
  }

  async #connect(round: number): Promise<void> {
    const { connector, clock, plan, gate, mayStart, onChange } = this.#ports;
    const attempt = new AbortController();
    this.#attempt = attempt;
    this.#step = undefined;
    try {
      // A new process must not meet the port or the name that a dying one still holds.
      await this.#dropped;
      const refusal = mayStart(this.server);
      if (refusal !== undefined) throw refusal;
      const { signal } = attempt;
      const opened = await openServer(this.server, {
        connector: connector(this.server),
        clock,
        plan,
        gate,
        signal,
        onStep: (step) => {
          if (round !== this.#state.round) return;
          this.#step = step;
          onChange(this);
        },
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
      this.#waiting.resolve(live);
      this.#watch(live, round);
    } catch (cause) {
      const error = asConnectError(cause, this.server);
      this.dispatch({ kind: 'connect-failed', round, error });
    }
  }

  #watch(live: LiveConnection, round: number): void {
    const { connection, closed } = live;
    connection.content?.onChanged((change) => {
      if (live === this.#live) this.#ports.onContentChanged(this.server.id, change);
    });
    connection.lost
      .then((error) => this.dispatch({ kind: 'connection-lost', round, error }))
      .catch((error: unknown) => this.#loseTo(error, round));
    void closed.then(() => this.#connections.delete(live));
  }

  async #checkHealth(round: number): Promise<void> {
    const { clock, plan } = this.#ports;
    const live = this.#live;
    if (live === undefined) return;
    const startedAt = clock.now();
    const late = new AbortController();
    using _timer = clock.after(plan.healthDeadline, () => late.abort());
    const isGood = await live.connection
      .ping(late.signal)
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
    const onDue = catchFaults(
      () => this.dispatch({ kind: 'timer-fired', round }),
      (error) => this.#loseTo(error, round),
    );
    this.#timer = clock.after(dueAt - clock.now(), onDue);
  }

  #refusal(): HostError | undefined {
    const { phase, reason, isRecovering } = this.#state;
    if (phase === 'disabled') return disabledError(this.server, reason);
    if (reason === undefined || isRecovering || !(phase === 'error' || phase === 'closed')) return;
    // The same words as the first time: they stand in a note, which a second run must not change.
    return reason.withFacts({ server: this.server.name, neverSent: true });
  }

  #track(work: Promise<void>, round: number): void {
    const done = work
      .catch((error: unknown) => this.#loseTo(error, round))
      .finally(() => this.#work.delete(done));
    this.#work.add(done);
  }

  #reportFault(error: unknown): void {
    const { name } = this.server;
    this.#ports.notifier.notify(faultNotice(`Supervising server "${name}" failed`, error, name));
  }

  /** A defect in the supervision of a connection ends it; it is then reconnected as after any loss. */
  #loseTo(cause: unknown, round: number): void {
    const { name } = this.server;
    const message = `The connection to server "${name}" was given up after a defect of Errand: ${describeFault(cause)}`;
    const error = new HostError('server_unavailable', message, { server: name }, { cause });
    const lose = () => this.dispatch({ kind: 'connection-lost', round, error });
    catchFaults(() => this.#reportFault(cause), lose)();
    catchFaults(lose, () => undefined)();
  }
}
