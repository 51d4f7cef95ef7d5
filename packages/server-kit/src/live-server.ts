import { randomUUID } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/server';
import { buildSdkServer, type SharedByClients } from './build-sdk-server.ts';
import type { ClientSession, TransportType } from './client-session.ts';
import type { HealthContribution, ServerParts } from './define-server.ts';
import { healthCheckName, healthCheckTool } from './health-check-tool.ts';
import { type HealthReport, healthReport } from './health-report.ts';
import type { Limits } from './limits.ts';
import type { Logger } from './logger.ts';
import { MemoryKeeper } from './memory-keeper.ts';
import { type MemoryPressure, memoryPressure } from './memory-pressure.ts';
import { RunningCalls } from './running-calls.ts';
import { nextStatus, type ServerEvent, type ServerStatus } from './server-status.ts';
import { type Session, Sessions } from './sessions.ts';
import { type RegisteredTool, toolTable } from './tool-table.ts';

/** One way in to a running server. */
export interface ServedTransport {
  readonly type: TransportType;
  readonly isActive: boolean;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly lastError: Error | undefined;
  /** Ends every connection and takes no more. */
  close(): Promise<void>;
}

/** What a server is and has at this moment. */
export interface ServerReport {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly status: ServerStatus;
  readonly startTime: Date;
  readonly transports: readonly Omit<ServedTransport, 'close'>[];
  readonly sessions: readonly ClientSession[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly registrationTime: Date;
  }[];
}

/** What a running server takes from outside. */
export interface Surroundings {
  readonly log: Logger;
  readonly limits: Limits;
  readonly now: () => number;
  readonly memory: () => number;
  /** Collects garbage; a pause for everybody. */
  readonly collect: () => void;
  /** Gives back what the server opened at its start. */
  readonly release: () => Promise<void>;
}

const healthTimeout = 2_000;
/** For the answers of calls that were cancelled because the server stops. */
const lastWords = 50;

/** A server from its start to its end, whatever its clients reach it by. */
export class LiveServer {
  readonly log: Logger;
  readonly limits: Limits;
  readonly sessions: Sessions;
  readonly shared: SharedByClients;
  readonly transports: ServedTransport[] = [];
  readonly #id = randomUUID();
  readonly #surroundings: Surroundings;
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
    this.shared = {
      definition,
      tools: this.#toolsOf(parts),
      extensions: parts.flatMap(({ sdk }) => (sdk === undefined ? [] : [sdk])),
      calls: new RunningCalls((running) => {
        if (running === 0) this.#memory.rest();
        else if (running === 1) this.#memory.work();
      }),
      log,
      answerBytes: limits.answerBytes,
    };
    const interval = Math.min(10_000, Math.max(10, limits.clientTimeout / 4));
    this.#sweeping = setInterval(() => this.#sweep(), interval).unref();
  }

  /** Opens the ways in, one after the other; if one fails, none stays open. */
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

  async health(): Promise<{
    readonly report: HealthReport;
    readonly details: Readonly<Record<string, unknown>>;
  }> {
    const { memory, now } = this.#surroundings;
    const own = await this.#ownHealth();
    const report = healthReport({
      status: this.#status,
      transports: this.transports,
      tools: this.shared.tools.size,
      memoryUsage: memory(),
      memoryLimit: this.limits.memoryLimit,
      activeSessions: this.sessions.size,
      maxSessions: this.limits.maxClients,
      errorRate: this.shared.calls.errorRate,
      uptime: Math.floor((now() - this.#startTime.getTime()) / 1000),
      own,
    });
    return { report, details: own.details ?? {} };
  }

  report(): ServerReport {
    return {
      id: this.#id,
      name: this.shared.definition.name,
      version: this.shared.definition.version,
      status: this.#status,
      startTime: this.#startTime,
      transports: this.transports.map(({ type, isActive, configuration, lastError }) => ({
        type,
        isActive,
        configuration,
        lastError,
      })),
      sessions: this.sessions
        .list()
        .map(({ sessionId, transport, capabilities, connectionTime, lastActivity, status }) => ({
          sessionId,
          transport,
          capabilities,
          connectionTime,
          lastActivity,
          status,
        })),
      tools: [...this.shared.tools.values()].map(({ tool, registrationTime }) => ({
        name: tool.name,
        description: tool.description,
        metadata: tool.metadata ?? {},
        registrationTime,
      })),
    };
  }

  #toolsOf(parts: readonly ServerParts[]): ReadonlyMap<string, RegisteredTool> {
    const tools = parts.flatMap((part) => part.tools ?? []);
    const hasOwn = tools.some(({ name }) => name === healthCheckName);
    const all = hasOwn ? tools : [...tools, healthCheckTool(() => this.health())];
    return toolTable(all, this.#startTime.getTime());
  }

  async #ownHealth(): Promise<HealthContribution> {
    const signal = AbortSignal.timeout(healthTimeout);
    const { promise: late, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    try {
      const asked = this.#health.map((health) => health(signal));
      const all = await Promise.race([late, Promise.all(asked)]);
      return {
        issues: all.flatMap(({ issues }) => issues ?? []),
        details: Object.assign({}, ...all.map(({ details }) => details)),
      };
    } catch (error) {
      this.log.error({ err: error }, 'the health check of the server failed');
      const reason = signal.aborted ? `took more than ${healthTimeout} ms` : 'failed; see the log';
      return { issues: [`The server's own health check ${reason}.`] };
    }
  }

  async #stop(grace: number): Promise<void> {
    this.#advance('stop');
    this.sessions.stop();
    await this.sessions.answered(grace);
    this.shared.calls.abort();
    await this.sessions.answered(lastWords);
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
