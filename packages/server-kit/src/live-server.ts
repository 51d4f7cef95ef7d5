import { randomUUID } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/server';
import { AnswerSizes } from './answer-sizes.ts';
import { buildSdkServer, type SharedByClients, sdkOptions } from './build-sdk-server.ts';
import type { TransportType } from './client-session.ts';
import type { ServerParts } from './define-server.ts';
import { type CheckedHealth, healthCheckName, healthCheckTool } from './health-check-tool.ts';
import { askHealth, healthReport } from './health-report.ts';
import type { Limits } from './limits.ts';
import type { Logger } from './logger.ts';
import { MemoryGate } from './memory-gate.ts';
import { MemoryKeeper } from './memory-keeper.ts';
import { type MemoryPressure, memoryPressure } from './memory-pressure.ts';
import { RunningCalls } from './running-calls.ts';
import { selectTools, type ToolSelection } from './select-tools.ts';
import type { ServedTransport } from './served-transport.ts';
import { type ServerReport, serverReport } from './server-report.ts';
import { nextStatus, type ServerEvent, type ServerStatus } from './server-status.ts';
import { type Session, Sessions } from './sessions.ts';
import { type RegisteredTool, toolTable } from './tool-table.ts';

/** What a running server takes from outside. */
interface Surroundings {
  readonly log: Logger;
  readonly limits: Limits;
  readonly now: () => number;
  readonly memory: () => number;
  /** Collects garbage, which pauses all calls. */
  readonly collect: () => void;
  /** Gives back what the server opened at its start. */
  readonly release: () => Promise<void>;
  /** Which tools somebody wants to offer. */
  readonly selection: ToolSelection;
}

/** For the answers of calls that were cancelled because the server stops. */
const drainMs = 50;

/** A running server, from start to stop, over all transports. */
export class LiveServer {
  readonly log: Logger;
  readonly limits: Limits;
  readonly sessions: Sessions;
  readonly shared: SharedByClients;
  readonly transports: ServedTransport[] = [];
  readonly #id = randomUUID();
  readonly #surroundings: Surroundings;
  readonly #lastErrors = new Map<TransportType, Error>();
  readonly #health: NonNullable<ServerParts['health']>[];
  readonly #memory: MemoryKeeper;
  readonly #startTime: Date;
  readonly #sweeping: NodeJS.Timeout;
  #status: ServerStatus = nextStatus('stopped', 'start');
  #pressure: MemoryPressure = 'normal';
  #stopping: Promise<void> | undefined;

  constructor(
    definition: SharedByClients['definition'],
    parts: readonly ServerParts[],
    surroundings: Surroundings,
  ) {
    const { log, limits, now, memory, collect } = surroundings;
    this.#surroundings = surroundings;
    this.log = log;
    this.limits = limits;
    this.sessions = new Sessions(surroundings);
    this.#memory = new MemoryKeeper(memory, () => {
      collect();
      log.debug({ memoryUsage: memory() }, 'garbage was collected');
    });
    this.#startTime = new Date(now());
    this.#health = parts.flatMap(({ health }) => (health === undefined ? [] : [health]));
    const reasons = parts.flatMap(({ whyNotOffered }) => whyNotOffered ?? []);
    this.shared = {
      definition,
      tools: this.#toolsOf(parts),
      extensions: parts.flatMap(({ sdk }) => (sdk === undefined ? [] : [sdk])),
      calls: new RunningCalls((running) => {
        if (running === 0) this.#memory.rest();
        else if (running === 1) this.#memory.work();
      }),
      gate: new MemoryGate({
        memoryLimit: limits.memoryLimit,
        memory,
        relieve: () => this.#memory.relieve(),
        patience: limits.callPatience,
      }),
      answerSizes: new AnswerSizes(),
      isSelective: reasons.length > 0,
      async whyNotOffered(tool, signal) {
        const found = await Promise.all(reasons.map((reason) => reason(tool, signal)));
        return found.find((reason) => reason !== undefined);
      },
      log,
      answerBytes: limits.answerBytes,
      onUnserved: (transport, error) => {
        this.#lastErrors.set(transport, error);
        log.debug({ err: error, transport }, 'a message could not be served');
      },
    };
    const interval = Math.min(10_000, Math.max(10, limits.clientTimeout / 4));
    this.#sweeping = setInterval(() => this.#sweep(), interval).unref();
  }

  /** Opens the transports one after the other; if one fails, all are closed again. */
  async open(transports: readonly (() => Promise<readonly ServedTransport[]>)[]): Promise<void> {
    try {
      for (const transport of transports) this.transports.push(...(await transport()));
      this.#advance('started');
    } catch (error) {
      this.#advance('failed');
      await this.#end();
      throw error;
    }
  }

  /** Gives a client its own SDK server on a transport. */
  async connect(session: Session, transport: Transport): Promise<void> {
    const onclose = transport.onclose;
    transport.onclose = () => {
      this.sessions.close(session);
      onclose?.();
    };
    await buildSdkServer(this.shared, session).connect(transport);
  }

  /** Takes no new requests, lets running calls finish for a while, ends; the second call waits. */
  stop(grace: number): Promise<void> {
    this.#stopping ??= this.#stop(grace);
    return this.#stopping;
  }

  async health(): Promise<CheckedHealth> {
    const { memory, now } = this.#surroundings;
    const own = await askHealth(this.#health, this.log);
    const report = healthReport({
      status: this.#status,
      transports: this.transports,
      tools: this.shared.tools.size,
      metrics: {
        memoryUsage: memory(),
        memoryLimit: this.limits.memoryLimit,
        activeSessions: this.sessions.size,
        maxSessions: this.limits.maxClients,
        errorRate: this.shared.calls.errorRate,
        uptime: Math.floor((now() - this.#startTime.getTime()) / 1000),
      },
      own,
    });
    return { report, details: own.details ?? {}, status: this.report() };
  }

  report(): ServerReport {
    return serverReport({
      id: this.#id,
      definition: this.shared.definition,
      status: this.#status,
      startTime: this.#startTime,
      transports: this.transports,
      lastErrors: this.#lastErrors,
      capabilities: sdkOptions(this.shared).capabilities ?? {},
      sessions: this.sessions.list(),
      failedSessions: this.sessions.failed,
      tools: [...this.shared.tools.values()],
    });
  }

  #toolsOf(parts: readonly ServerParts[]): ReadonlyMap<string, RegisteredTool> {
    const tools = parts.flatMap((part) => part.tools ?? []);
    const hasOwn = tools.some(({ name }) => name === healthCheckName);
    const all = hasOwn ? tools : [...tools, healthCheckTool(() => this.health())];
    return toolTable(selectTools(all, this.#surroundings.selection), this.#startTime.getTime());
  }

  async #stop(grace: number): Promise<void> {
    this.#advance('stop');
    this.sessions.stop();
    await this.sessions.answered(grace);
    this.shared.calls.abort();
    await this.sessions.answered(drainMs);
    try {
      await this.#end();
      this.#advance('stopped');
    } catch (error) {
      this.#advance('failed');
      throw error;
    }
  }

  async #end(): Promise<void> {
    clearInterval(this.#sweeping);
    this.#memory.work();
    await Promise.all(this.transports.map((transport) => transport.close()));
    await this.#surroundings.release();
  }

  #advance(event: ServerEvent): void {
    this.#status = nextStatus(this.#status, event);
  }

  #sweep(): void {
    this.#watchMemory();
    const dropped = this.sessions.sweep();
    for (const { sessionId } of dropped) {
      this.log.info({ session: sessionId }, 'an idle session was dropped');
    }
    if (dropped.length > 0) this.#memory.rest();
  }

  #watchMemory(): void {
    const { memoryLimit } = this.limits;
    const pressureOf = (used: number) => memoryPressure(used, memoryLimit);
    const before = this.#surroundings.memory();
    const memoryUsage = pressureOf(before) === 'normal' ? before : this.#memory.relieve();
    const pressure = pressureOf(memoryUsage);
    if (pressure === this.#pressure) return;
    this.#pressure = pressure;
    const facts = { memoryUsage, memoryLimit, pressure };
    if (pressure === 'normal') this.log.info(facts, 'memory is back to normal');
    else this.log.warn(facts, 'memory runs short');
  }
}
