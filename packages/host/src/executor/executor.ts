import type { CallLog } from '../call-log.ts';
import type { Clock } from '../clock.ts';
import { ArraySet } from '../concurrency/array-set.ts';
import { Semaphore, type SemaphoreLimits } from '../concurrency/semaphore.ts';
import type { Progress } from '../connection.ts';
import type { HostEvents } from '../events/host-event.ts';
import { fixedError } from '../fixed-error.ts';
import { HostError } from '../host-error.ts';
import type { ServerRegistry } from '../registry/server-registry.ts';
import type { Settings } from '../settings.ts';
import { sortedJson } from '../text/sorted-json.ts';
import type { CallOutcome, ToolInvocationRequest } from '../tool-invocation.ts';
import type { CallJournal } from './call-journal.ts';
import type { ActiveExecution, ExecutionRecord, ExecutionTracker } from './execution-tracker.ts';
import { logRecord } from './log-record.ts';
import { answeredOutcome, failedOutcome } from './outcome.ts';
import type { ParameterChecker } from './parameter-checker.ts';
import { performCall } from './perform-call.ts';
import { type ExecuteOptions, RunningCall } from './running-call.ts';
import type { Sessions } from './sessions.ts';

interface ExecutorPorts {
  readonly servers: ServerRegistry;
  readonly sessions: Sessions;
  readonly checker: ParameterChecker;
  readonly clock: Clock;
  readonly events: HostEvents;
  readonly log: CallLog;
  /** Receives defects that affected a call or its listeners. */
  readonly onFault: (what: string, error: unknown) => void;
}

interface Running {
  readonly call: RunningCall;
  readonly outcome: Promise<CallOutcome>;
}

/** Runs every call of every face. A failed call is a value; only a defect throws. */
export class Executor {
  readonly #ports: ExecutorPorts;
  readonly #queue: Semaphore;
  readonly #running = new ArraySet<Running>();
  readonly #blocks = new Map<string, Running>();
  readonly #active = new Map<string, number>();
  readonly #history: ExecutionRecord[] = [];
  #totalExecuted = 0;
  #refusal: HostError | undefined;

  constructor(ports: ExecutorPorts) {
    this.#ports = ports;
    this.#queue = new Semaphore(() => queueLimits(ports.servers.settings));
    ports.events.subscribe(({ kind }) => {
      if (kind === 'settings-changed') this.#queue.admit();
    });
  }

  get tracker(): ExecutionTracker {
    const { mcpConcurrentLimit, mcpSessionLimit } = this.#ports.servers.settings;
    return {
      concurrentLimit: mcpConcurrentLimit,
      sessionLimit: mcpSessionLimit,
      activeExecutions: new Set(this.#active.keys()),
      totalExecuted: this.#totalExecuted,
      stopped: this.#refusal !== undefined,
      executionHistory: this.#history,
    };
  }

  get calls(): readonly ActiveExecution[] {
    return [...this.#running].map(({ call: { request, submittedAt } }) => {
      const startedAt = this.#active.get(request.id);
      return { request, submittedAt, ...(startedAt !== undefined && { startedAt }) };
    });
  }

  execute(request: ToolInvocationRequest, options: ExecuteOptions = {}): Promise<CallOutcome> {
    const now = () => this.#ports.clock.now();
    const block = blockOf(request);
    const known = block === undefined ? undefined : this.#blocks.get(block);
    if (known !== undefined) return known.call.join(options, known.outcome, now);

    const call = new RunningCall(request, options, now(), (error) =>
      this.#ports.onFault('A listener of a call failed', error),
    );
    // Deferred, so that the caller has joined before the call reports anything.
    const outcome = Promise.resolve().then(() => this.#run(call));
    const running = { call, outcome };
    const takeOut = this.#running.add(running);
    if (block !== undefined) this.#blocks.set(block, running);
    const forget = () => {
      takeOut();
      if (block !== undefined) this.#blocks.delete(block);
    };
    outcome.then(forget, forget);
    return call.join(options, outcome, now);
  }

  /** Ends one queued or running call, for everybody who asked for it. */
  cancel(requestId: string): void {
    for (const { call } of this.#running) if (call.request.id === requestId) call.cancel();
  }

  /** Ends every queued and running call at once and refuses new ones until `resume`. */
  stop(): void {
    const reason = fixedError('stopped');
    this.#refuse(reason);
    this.#ports.events.emit({ kind: 'calls-stopped', reason });
  }

  resume(): void {
    this.#refusal = undefined;
    this.#ports.events.emit({ kind: 'calls-resumed' });
  }

  /** Ends every call and waits for their ends. */
  async close(): Promise<void> {
    this.#refuse(new HostError('stopped', 'Errand is shutting down.'));
    await Promise.allSettled([...this.#running].map(({ outcome }) => outcome));
  }

  #refuse(reason: HostError): void {
    this.#refusal = reason;
    for (const { call } of this.#running) call.end(reason);
  }

  async #run(call: RunningCall): Promise<CallOutcome> {
    const { servers, sessions, checker, clock, events, log } = this.#ports;
    const { request } = call;
    const serverName = servers.find(request.serverId)?.name ?? request.serverId;
    const journal: CallJournal = { serverName, attempts: [] };
    if (this.#refusal !== undefined) call.end(this.#refusal);
    events.emit({ kind: 'call-queued', request });
    const onStart = () => {
      this.#active.set(request.id, clock.now());
      this.#totalExecuted += 1;
      events.emit({ kind: 'call-started', request });
    };
    const onProgress = (progress: Progress) =>
      events.emit({ kind: 'call-progress', request, progress });
    const ports = { servers, sessions, checker, clock, queue: this.#queue, onStart, onProgress };
    let outcome: CallOutcome;
    try {
      const raw = await performCall(call, journal, ports);
      outcome = answeredOutcome(raw, call, journal, clock.now());
    } catch (error) {
      if (!(error instanceof HostError)) this.#ports.onFault('A call failed', error);
      outcome = failedOutcome(error, call, journal, clock.now());
    } finally {
      this.#active.delete(request.id);
    }
    if (journal.startedAt !== undefined) this.#remember(request, journal.startedAt, outcome);
    log.append(logRecord(call, journal, outcome, clock.now()));
    call.enter({ status: outcome.status });
    events.emit({ kind: 'call-finished', request, outcome });
    return outcome;
  }

  #remember(request: ToolInvocationRequest, timestamp: number, outcome: CallOutcome): void {
    this.#history.push({
      requestId: request.id,
      serverId: request.serverId,
      toolName: request.toolName,
      timestamp,
      duration: outcome.durationMs,
      status: outcome.status === 'success' ? 'success' : 'error',
    });
    if (this.#history.length > keptHistory) this.#history.shift();
  }
}

const keptHistory = 1_000;

/** Where there are several servers, one that hangs leaves half of the places to the others. */
function queueLimits(settings: Settings): SemaphoreLimits {
  const known = limitsBySettings.get(settings);
  if (known !== undefined) return known;
  const { mcpConcurrentLimit: total, mcpServers } = settings;
  const isAlone = mcpServers.filter(({ enabled }) => enabled).length < 2;
  const limits = { total, perServer: isAlone || total === -1 ? total : Math.ceil(total / 2) };
  limitsBySettings.set(settings, limits);
  return limits;
}

const limitsBySettings = new WeakMap<Settings, SemaphoreLimits>();

/** What makes two requests the same one asked twice; a request from no block is always its own. */
function blockOf(request: ToolInvocationRequest): string | undefined {
  const { documentPath, sectionLine, serverId, toolName, parameters } = request;
  if (documentPath === undefined || sectionLine === undefined) return undefined;
  return sortedJson([documentPath, sectionLine, serverId, toolName, parameters]);
}
