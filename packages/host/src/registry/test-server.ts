import type { Advice } from '../advice.ts';
import type { Clock } from '../clock.ts';
import type { ConnectStep, ToolDescription } from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';
import { systemClock } from '../time/system-clock.ts';
import type { Connectors } from './connectors.ts';
import { isToolAllowed, unusedRules } from './filter-tools.ts';
import { defaultRetryPlan, type RetryPlan } from './lifecycle-state.ts';
import { asConnectError, openServer } from './open-server.ts';

interface TestPorts {
  readonly connectors: Connectors;
  readonly clock?: Clock;
  readonly plan?: RetryPlan;
}

/** What a test of a server found: every step with its time, and the tools that its entry allows, or the failure. */
export interface ServerTest {
  readonly steps: readonly TestStep[];
  readonly tools: readonly ToolDescription[];
  /** What `tools` of the entry names and the server lacks, with the names it has. */
  readonly unusedRules?: { readonly rules: readonly string[]; readonly names: readonly string[] };
  readonly error?: HostError;
}

export interface TestStep {
  readonly name: ConnectStep['name'] | 'ping';
  readonly detail?: string;
  readonly durationMs: number;
  readonly isDone: boolean;
}

/** Connects to a server for this once, reads its tools, asks whether it is well, and leaves. */
export async function testServer(
  server: ServerConfig,
  { connectors, clock = systemClock, plan = defaultRetryPlan }: TestPorts,
  { signal, onStep }: { signal: AbortSignal; onStep?: (step: TestStep) => void },
): Promise<ServerTest> {
  const steps: TestStep[] = [];
  let current:
    | { readonly step: Pick<TestStep, 'name' | 'detail'>; readonly since: number }
    | undefined;
  const finish = (isDone: boolean) => {
    if (current === undefined) return;
    const step = { ...current.step, durationMs: clock.now() - current.since, isDone };
    current = undefined;
    steps.push(step);
    onStep?.(step);
  };
  const begin = (step: Pick<TestStep, 'name' | 'detail'>) => {
    if (current?.step.name === step.name) {
      // An image being pulled reports the same step again and again; a start reports what it found.
      if (step.name === 'start') current = { ...current, step };
      return;
    }
    finish(true);
    current = { step, since: clock.now() };
  };
  const connector = connectors[server.deploymentType];
  try {
    if (connector === undefined) throw cannotReach(server);
    const { connection, tools } = await openServer(server, {
      connector,
      clock,
      plan,
      signal,
      onStep: begin,
    });
    await using _open = connection;
    begin({ name: 'ping' });
    await connection.ping(signal);
    finish(true);
    const { tools: rules = {} } = server;
    const names = tools.map(({ name }) => name);
    const unused = unusedRules(names, rules);
    return {
      steps,
      tools: tools.filter(({ name }) => isToolAllowed(name, rules)),
      ...(unused.length > 0 && { unusedRules: { rules: unused, names } }),
    };
  } catch (thrown) {
    finish(false);
    return { steps, tools: [], error: failureOfTest(asConnectError(thrown, server), server) };
  }
}

/** The failure as the test itself tells it: to test again would show nothing new, so the entry is to be checked. */
function failureOfTest(error: HostError, { name, deploymentType }: ServerConfig): HostError {
  const advice = error.advice.map(
    (one): Advice =>
      one.kind === 'test-server' ? { kind: 'edit-server', server: name, deploymentType } : one,
  );
  return new HostError(error.code, error.message, error.facts, { cause: error, advice });
}

function cannotReach({ name, deploymentType }: ServerConfig): HostError {
  const message = `Server "${name}" is of type "${deploymentType}", which this program cannot reach.`;
  return new HostError('settings_invalid', message, { server: name });
}
