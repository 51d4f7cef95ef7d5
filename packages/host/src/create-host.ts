import type { CallLog } from './call-log.ts';
import type { Clock } from './clock.ts';
import type { ToolDescription } from './connection.ts';
import { catchFaults, faultNotice } from './events/catch-faults.ts';
import type { HostEvent, HostEvents } from './events/host-event.ts';
import { Listeners } from './events/listeners.ts';
import type { ActiveExecution, ExecutionTracker } from './executor/execution-tracker.ts';
import { Executor } from './executor/executor.ts';
import { ParameterChecker } from './executor/parameter-checker.ts';
import type { ExecuteOptions } from './executor/running-call.ts';
import type { SchemaGuard } from './executor/schema-guard.ts';
import { type SessionControl, Sessions } from './executor/sessions.ts';
import type { HealthStore } from './health-store.ts';
import type { HostError } from './host-error.ts';
import type { Notice, Notifier } from './notifier.ts';
import type { Connectors } from './registry/connectors.ts';
import { followToolHints } from './registry/follow-tool-hints.ts';
import { defaultRetryPlan, type RetryPlan } from './registry/lifecycle-state.ts';
import { ServerRegistry } from './registry/server-registry.ts';
import type { StartTrust } from './registry/server-snapshot.ts';
import type { Servers } from './registry/servers.ts';
import { noToolHints, type ToolHints } from './settings/open-tool-hints.ts';
import { describeProblem } from './settings/settings-problem.ts';
import type { ApprovalRule, ServerConfig } from './settings.ts';
import type { LoadedSettings, SettingsStore } from './settings-store.ts';
import { catchTimerFaults } from './time/catch-timer-faults.ts';
import { systemClock } from './time/system-clock.ts';
import type { CallOutcome, ToolInvocationRequest } from './tool-invocation.ts';

/** What a face supplies. */
export interface HostPorts {
  readonly settings: SettingsStore;
  /** What the store has loaded already; without it the host loads it. */
  readonly loaded?: LoadedSettings;
  /** What this machine knows of the servers; without it that is forgotten with the host. */
  readonly health?: HealthStore;
  readonly connectors: Connectors;
  readonly notifier: Notifier;
  readonly log: CallLog;
  /** Checks schemas with patterns, formats or references; without it those parts are not checked. */
  readonly guard?: SchemaGuard;
  /** Decides what may start; without it every server may. */
  readonly trust?: StartTrust;
  /** The approval rule for a model's calls that a person agreed to; without it, that of the settings. */
  readonly approvalOf?: (server: ServerConfig) => ApprovalRule;
  /** What tools said of themselves when their server was agreed to. */
  readonly hints?: ToolHints;
  /** A note's path in the vault when links are followed; undefined when it is not there or outside. */
  readonly realNotePath?: (path: string) => string | undefined;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Processes that may be starting at once. */
  readonly parallelStarts?: number;
  readonly plan?: RetryPlan;
  /** What the host counted whose place this one takes. */
  readonly earlier?: EarlierHost;
}

/** What is asked of a host by the program that makes it, beside what its vault supplies. */
export interface HostRole {
  readonly notifier: Notifier;
  /** Why no server may be started at this moment. */
  readonly fence?: () => HostError | undefined;
  /** Looks for a secret that this program's store lacks. */
  readonly askSecret?: (name: string) => Promise<string | undefined>;
  readonly earlier?: EarlierHost;
  /** A process that may go on running although this host takes its place: what it started is to be ended. */
  readonly deposed?: { readonly pid: number; readonly startedAt: string };
}

/** What a host takes over from the one before it. */
export interface EarlierHost {
  readonly isStopped: boolean;
  /** For when the settings cannot be read at the moment. */
  readonly settings?: LoadedSettings;
}

/** Servers and calls of one vault. Disposing it ends all calls, closes all servers and waits. */
export interface Host extends AsyncDisposable {
  readonly servers: Servers;
  readonly sessions: SessionControl;
  readonly events: HostEvents;
  readonly tracker: ExecutionTracker;
  /** The calls that wait or run now. */
  readonly calls: readonly ActiveExecution[];
  readonly hints: ToolHints;
  /** The approval rule for a model's calls; read it for each call, since settings change. */
  approvalOf(server: ServerConfig): ApprovalRule;
  execute(request: ToolInvocationRequest, options?: ExecuteOptions): Promise<CallOutcome>;
  /** Throws `invalid_params` when a tool of a server cannot take these parameters. */
  check(
    server: string,
    tool: ToolDescription,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Cancels a call of any client and notifies its server; a finished call is ignored. */
  cancel(requestId: string): void;
  /** Ends every queued and running call and refuses new ones until `resume`. */
  stop(): void;
  resume(): void;
}

/** Builds a host from its ports. No server is started before it is used or `servers.start()` is called. */
export async function createHost(ports: HostPorts, signal?: AbortSignal): Promise<Host> {
  const { settings: store, connectors, notifier, log, guard } = ports;
  const onFault = (what: string, error: unknown) => notifier.notify(faultNotice(what, error));
  const clock = catchTimerFaults(ports.clock ?? systemClock, (error) =>
    onFault('A timer failed', error),
  );
  const events = new Listeners<HostEvent>((error) =>
    onFault('A listener for events of the host failed', error),
  );
  const loadOr = (settings: LoadedSettings) =>
    store.load(signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      notifier.notify(unusableSettings(error));
      return settings;
    });
  const { earlier } = ports;
  const loaded =
    ports.loaded ?? (await (earlier?.settings ? loadOr(earlier.settings) : store.load(signal)));
  const health = ports.health ?? forgetfulHealth;
  // What cannot be read is found out again; a save that fails is told.
  const records = await health.load().catch(() => ({}));
  const servers = new ServerRegistry(loaded, {
    settings: store,
    health,
    records,
    connectors,
    clock,
    notifier,
    events,
    log,
    plan: ports.plan ?? defaultRetryPlan,
    random: ports.random ?? Math.random,
    parallelStarts: ports.parallelStarts ?? defaultParallelStarts,
    trust: ports.trust ?? trustEverything,
    realNotePath: ports.realNotePath ?? (() => undefined),
  });
  const { hints = noToolHints, approvalOf = ({ approval = 'ask' }) => approval } = ports;
  const following = followToolHints({ servers, events, hints, notifier });
  const sessions = new Sessions({
    defaultLimit: () => servers.settings.mcpSessionLimit,
    notifier,
    onChange: (sessionId) => events.emit({ kind: 'session-changed', sessionId }),
  });
  const checker = new ParameterChecker(guard, notifier);
  const executor = new Executor({ servers, sessions, checker, clock, events, log, onFault });
  if (earlier?.isStopped) executor.stop();
  // Problems of the first load are reported by the caller that loaded the settings.
  const reported = new Set(loaded.problems.map(({ message }) => message));
  const takeOver = (settings: LoadedSettings) => {
    servers.apply(settings);
    for (const problem of settings.problems) {
      if (reported.has(problem.message)) continue;
      reported.add(problem.message);
      notifier.notify({ level: problem.level, ...describeProblem(problem, store.name) });
    }
  };
  let reload: Promise<void> = Promise.resolve();
  const complain = catchFaults(
    (error: unknown) => notifier.notify(unusableSettings(error)),
    () => undefined,
  );
  const unwatch = store.watch(() => {
    // One after the other, so that an older reading never comes after a newer one.
    reload = reload
      .then(() => store.load())
      .then(takeOver)
      .catch(complain);
  });
  return {
    servers,
    sessions,
    events,
    hints,
    approvalOf,
    get tracker() {
      return executor.tracker;
    },
    get calls() {
      return executor.calls;
    },
    execute: (request, options) => executor.execute(request, options),
    check: async (server, tool, parameters) => checker.check(server, tool, parameters),
    cancel: (requestId) => executor.cancel(requestId),
    stop: () => executor.stop(),
    resume: () => executor.resume(),
    [Symbol.asyncDispose]: async () => {
      unwatch();
      await executor.close();
      await servers.close();
      await following[Symbol.asyncDispose]();
    },
  };
}

/** Not asked of `navigator`, which an extension host of VS Code hides. */
const defaultParallelStarts = 4;

const trustEverything: StartTrust = { mayStart: () => undefined, verdict: () => 'trusted' };

const forgetfulHealth: HealthStore = {
  load: async () => ({}),
  save: async () => undefined,
  watch: () => () => undefined,
};

function unusableSettings(error: unknown): Notice {
  return {
    level: 'error',
    message: 'The changed settings cannot be used; the old ones stay in force.',
    detail: error instanceof Error ? error.message : String(error),
  };
}
