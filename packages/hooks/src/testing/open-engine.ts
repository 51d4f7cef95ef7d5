import type { Notice } from '@errand/host';
import { ManualClock } from '@errand/host/testing';
import { type JobEngine, memoryStore, StoredJobs } from '@errand/jobs';
import type { HookEnginePorts, HookLimits, HookRecords } from '../engine/engine-ports.ts';
import { HookEngine } from '../engine/hook-engine.ts';
import type { HookEvent, SourcePorts } from '../hook-event.ts';
import type { ActionContext, ActionOutcome, HookRun } from '../hook-run.ts';
import { type Hook, type HookAction, hookSchema } from '../hook-schema.ts';

/** A hook on files of `Inbox`, changed as a test needs it. */
export function testHook(change: Partial<Record<keyof Hook, unknown>> = {}): Hook {
  return hookSchema.parse({
    id: 'h1',
    name: 'Hook',
    trigger: { kind: 'file', events: ['created'], glob: 'Inbox/*.md' },
    actions: [{ type: 'custom', parameters: { command: 'true' } }],
    ...change,
  });
}

let lastEvent = 0;

/** A file that was created. */
export function fileEvent(path = 'Inbox/a.md', change: Partial<HookEvent> = {}): HookEvent {
  lastEvent += 1;
  const fields = { file: { path, event: 'created' }, filePath: path };
  return { id: `event ${lastEvent}`, kind: 'file', at: 1_000_000, fields, ...change };
}

/** An engine with everything around it in memory. */
export interface TestEngine extends AsyncDisposable {
  readonly engine: HookEngine;
  readonly ports: HookEnginePorts;
  readonly jobs: JobEngine;
  readonly clock: ManualClock;
  /** What the log has, in order. */
  readonly log: readonly HookRun[];
  readonly notices: readonly Notice[];
  /** The actions that were begun, in order. */
  readonly begun: readonly ActionContext[];
  readonly source: () => SourcePorts | undefined;
  readonly saved: () => HookRecords;
  /** How often sources were told that hooks changed. */
  readonly refreshed: () => number;
  setHooks(hooks: readonly Hook[]): void;
}

export interface TestEngineOptions {
  /** A clock of the real time that work takes. */
  readonly monotonic?: () => number;
  readonly run?: (action: HookAction, context: ActionContext) => Promise<ActionOutcome>;
  readonly isRepeatable?: boolean;
  readonly mayWrite?: (action: HookAction, path: string) => boolean;
  readonly chains?: HookEnginePorts['chains'];
  readonly sources?: HookEnginePorts['sources'];
  readonly verdict?: HookEnginePorts['trust']['verdict'];
  readonly limits?: Partial<HookLimits>;
  readonly records?: HookRecords;
  readonly openJobs?: (engine: HookEngine) => JobEngine;
}

/** Opens and starts an engine; all five types of actions do what `run` does. */
export async function openTestEngine(
  hooks: readonly Hook[],
  options: TestEngineOptions = {},
): Promise<TestEngine> {
  const { run = async () => ({ status: 'success' }), isRepeatable = false } = options;
  let current = hooks;
  let changed: () => void = () => undefined;
  let saved: HookRecords = options.records ?? {};
  let source: SourcePorts | undefined;
  let refreshed = 0;
  const log: HookRun[] = [];
  const notices: Notice[] = [];
  const begun: ActionContext[] = [];
  const faults: unknown[] = [];
  const clock = new ManualClock();
  const runner = {
    run(action: HookAction, context: ActionContext) {
      begun.push(context);
      return run(action, context);
    },
    preview: async () => ({ resolved: {}, problems: [] }),
    isRepeatable: () => isRepeatable,
    ...(options.mayWrite && { mayWrite: options.mayWrite }),
  };
  const ports: HookEnginePorts = {
    store: {
      load: async () => ({ hooks: current, problems: [] }),
      watch: (listener) => {
        changed = listener;
        return () => undefined;
      },
      save: async (change) => {
        current = change(current);
      },
    },
    trust: { verdict: options.verdict ?? (() => 'trusted') },
    sources: options.sources ?? {
      file: {
        start: async (ports) => {
          source = ports;
          return {
            refresh: () => {
              refreshed += 1;
            },
            [Symbol.asyncDispose]: async () => undefined,
          };
        },
      },
    },
    runners: { mcp: runner, agent: runner, git: runner, github: runner, custom: runner },
    context: { workspacePath: '/vault', git: async () => undefined },
    chains: options.chains ?? { begin: () => ({ [Symbol.dispose]: () => undefined }) },
    log: {
      append: (ended) => void log.push(ended),
      read: async ({ hookId, limit }) =>
        log
          .filter((each) => (hookId ?? each.hookId) === each.hookId)
          .toReversed()
          .slice(0, limit),
      find: async (runId) => log.findLast(({ id }) => id === runId),
      keepOutput: async (name) => `.errand/log/results/${name}`,
    },
    records: {
      load: async () => saved,
      save: async (records) => {
        saved = records;
      },
    },
    clock: {
      now: () => clock.now(),
      after: (delay, task) => clock.after(delay, task),
      monotonic: options.monotonic ?? (() => clock.monotonic()),
    },
    notifier: { notify: (notice) => void notices.push(notice) },
    onFault: (error) => void faults.push(error),
    limits: { retryAfterMs: 1, ...options.limits },
  };
  const engine = await HookEngine.open(ports);
  const jobs =
    options.openJobs?.(engine) ??
    StoredJobs.open(memoryStore(), {
      flows: { hook: engine.flow },
      concurrency: 1_000,
      drainMs: 100,
    });
  await engine.start(jobs);
  return {
    engine,
    ports,
    jobs,
    clock,
    log,
    notices,
    begun,
    source: () => source,
    saved: () => saved,
    refreshed: () => refreshed,
    setHooks(hooksNow) {
      current = hooksNow;
      changed();
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
      await engine.records[Symbol.asyncDispose]();
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** Actions that go on until the test lets each of them end. */
export function heldActions() {
  const held: { readonly context: ActionContext; end(outcome?: ActionOutcome): void }[] = [];
  const run = (_: HookAction, context: ActionContext) =>
    new Promise<ActionOutcome>((resolve) => {
      const end = (outcome: ActionOutcome = { status: 'success' }) => resolve(outcome);
      context.signal.addEventListener('abort', () => end({ status: 'cancelled' }));
      held.push({ context, end });
    });
  return { held, run };
}
