import {
  type CallOutcome,
  type ExecuteOptions,
  HostError,
  logRecord,
  type ToolInvocationRequest,
} from '@errand/host';
import { raceSignal } from '@errand/wire';
import type { Engine } from './engine.ts';
import type { OwnedVault } from './owned-vault.ts';
import { OwnerLost, unansweredOutcome } from './owner-lost.ts';
import { isRepeatable } from './sent-outcome.ts';
import type { SharePorts } from './share-ports.ts';

/** What a call needs to know of the program that makes it. */
export interface CallPorts extends Pick<SharePorts, 'log'> {
  /** The engine that works, or the promise of one. */
  readonly engine: () => Engine | Promise<Engine>;
  /** Aborted when the program leaves. */
  readonly closing: AbortSignal;
  /** Gives up a vault that another program has taken over. */
  readonly giveUp: (engine: OwnedVault) => void;
  /** Whether calls of an engine ended because another takes its place, and not because a person stopped them. */
  readonly isGivenUp: (engine: OwnedVault) => boolean;
}

/** Runs a call in whichever program owns the vault; once more when its owner leaves and it cannot act twice. */
export async function runCall(
  request: ToolInvocationRequest,
  options: ExecuteOptions,
  ports: CallPorts,
): Promise<CallOutcome> {
  const { signal } = options;
  const { closing } = ports;
  const submittedAt = Date.now();
  const typed = keepTyped(options);
  let asked = request;
  const unanswered = (error: HostError) =>
    unansweredOutcome(request, error, Date.now() - submittedAt);
  for (let attempts = 0; ; ) {
    if (signal?.aborted) return unanswered(new HostError('cancelled', 'Execution cancelled'));
    if (closing.aborted) return unanswered(new HostError('stopped', 'Errand is shutting down.'));
    const found = ports.engine();
    const engine = found instanceof Promise ? await arrival(found, signal, closing) : found;
    if (engine instanceof HostError) return unanswered(engine);
    if (engine === undefined) continue;
    const outcome = await attempt(asked, typed.options, engine, ports);
    if (!(outcome instanceof OwnerLost)) return outcome;
    // The end of the connection is also what makes this program look for another owner.
    if (engine.kind === 'attached') await engine.host.closed;
    if (outcome.wasNeverSent) continue;
    attempts += 1;
    // A repeated call never outlives the deadline of the first.
    const timeout = timeLimit(request, engine) - (Date.now() - submittedAt);
    const hasTime = timeout > 0 || options.progressExtends;
    if (closing.aborted || (outcome.mayRepeat && hasTime && attempts < 2)) {
      if (!options.progressExtends) asked = { ...request, timeout };
      continue;
    }
    const lost = unanswered(outcome);
    // The host of this process has recorded its own.
    if (engine.kind === 'attached') {
      const parameters = typed.parameters() ?? request.parameters;
      record({ ...request, parameters }, lost, submittedAt, engine, ports);
    }
    return lost;
  }
}

/** The options of a call, and what they made of its parameters. */
function keepTyped(options: ExecuteOptions) {
  const { typeParameters } = options;
  if (typeParameters === undefined) return { options, parameters: () => undefined };
  let typed: ToolInvocationRequest['parameters'] | undefined;
  const keep: typeof typeParameters = async (...given) => {
    typed = await typeParameters(...given);
    return typed;
  };
  return { options: { ...options, typeParameters: keep }, parameters: () => typed };
}

/** Milliseconds that a call may take. */
function timeLimit({ timeout, serverId }: ToolInvocationRequest, { host }: Engine): number {
  const { servers } = host;
  return timeout ?? servers.find(serverId)?.timeout ?? servers.settings.mcpGlobalTimeout;
}

/** The next engine, or why there is none; undefined when nobody waits for it any more. */
async function arrival(
  next: Promise<Engine>,
  signal: AbortSignal | undefined,
  closing: AbortSignal,
): Promise<Engine | HostError | undefined> {
  try {
    return await (signal === undefined ? next : raceSignal(next, signal));
  } catch (error) {
    if (signal?.aborted || closing.aborted) return undefined;
    if (error instanceof HostError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new HostError('owner_lost', `No program runs the servers of this vault. ${message}`);
  }
}

async function attempt(
  request: ToolInvocationRequest,
  options: ExecuteOptions,
  engine: Engine,
  { giveUp, isGivenUp }: CallPorts,
): Promise<CallOutcome | OwnerLost> {
  if (engine.kind === 'private') return engine.host.execute(request, options);
  if (engine.kind === 'attached') {
    return engine.host.execute(request, options).catch((error: unknown) => {
      if (error instanceof OwnerLost) return error;
      throw error;
    });
  }
  const lost = (wasNeverSent: boolean) => {
    const mayRepeat = isRepeatable(engine.host, request);
    return new OwnerLost('this program', { wasStarted: true, mayRepeat, wasNeverSent });
  };
  if (!engine.isHeld()) {
    giveUp(engine);
    return lost(true);
  }
  engine.sessions.hold(request.sessionId);
  const outcome = await engine.host.execute(request, options);
  const code = outcome.status === 'success' ? undefined : outcome.error.code;
  // Whoever takes a vault over ends the servers of the program before.
  const isDeposed = code === 'owner_lost' || (code === 'server_unavailable' && !engine.isHeld());
  if (isDeposed) giveUp(engine);
  const wasEnded = isDeposed || (code === 'stopped' && isGivenUp(engine));
  return wasEnded ? lost(outcome.attempts === 0) : outcome;
}

/** Records a call that its owner took with it, and the record in the log with it. */
function record(
  request: ToolInvocationRequest,
  outcome: CallOutcome,
  submittedAt: number,
  { host }: Engine,
  { log }: CallPorts,
): void {
  const serverName = host.servers.find(request.serverId)?.name ?? request.serverId;
  const journal = { serverName, attempts: [{ startedAt: submittedAt }] };
  log.append(logRecord({ request, submittedAt }, journal, outcome, Date.now()));
}
