import { nearestName } from '@errand/document';
import { raceSignal } from '@errand/wire';
import type { Caller } from '../caller.ts';
import type { Clock } from '../clock.ts';
import type { Semaphore, Waiter } from '../concurrency/semaphore.ts';
import type { Progress, RawToolResult, ToolDescription } from '../connection.ts';
import { fixedError } from '../fixed-error.ts';
import { HostError } from '../host-error.ts';
import { disabledError } from '../registry/disabled-error.ts';
import type { LiveConnection } from '../registry/live-connection.ts';
import type { ServerRegistry } from '../registry/server-registry.ts';
import type { ServerRunner } from '../registry/server-runner.ts';
import { oneLine } from '../text/one-line.ts';
import type { CallSource } from '../tool-invocation.ts';
import type { CallJournal } from './call-journal.ts';
import type { ParameterChecker } from './parameter-checker.ts';
import { runAttempts, type Turn } from './run-attempts.ts';
import type { RunningCall } from './running-call.ts';
import type { Sessions } from './sessions.ts';

interface PerformPorts {
  readonly servers: ServerRegistry;
  readonly sessions: Sessions;
  readonly checker: ParameterChecker;
  readonly queue: Semaphore;
  readonly clock: Clock;
  /** Called when the call leaves the queue for the first time. */
  readonly onStart: () => void;
  readonly onProgress: (progress: Progress) => void;
}

/** Takes a call through every gate to its server: known, enabled, allowed, valid, approved, its turn. */
export async function performCall(
  call: RunningCall,
  journal: CallJournal,
  ports: PerformPorts,
): Promise<RawToolResult> {
  const { servers, sessions, checker, queue, clock } = ports;
  const { request, options, signal } = call;
  signal.throwIfAborted();
  const runner = servers.runner(request.serverId);
  const { server, state } = runner;
  if (state.phase === 'disabled') throw disabledError(server, state.reason);
  const refusal = options.allows?.(request);
  if (refusal !== undefined) throw refusal;
  using reservation = sessions.reserve(request.sessionId);

  call.enter({ status: 'pending', waitingFor: 'server' });
  const timeout = request.timeout ?? server.timeout ?? servers.settings.mcpGlobalTimeout;
  // Looked up each time: the entry may be removed while a call waits.
  const ready = () => {
    const runner = servers.runner(request.serverId);
    return runner.live ?? reach(runner, timeout, clock, signal);
  };
  const live = await ready();
  const all = live.tools.fresh ?? (await raceSignal(live.tools.current(), signal));
  const tools = runner.offered(all);
  const tool = tools.get(request.toolName);
  if (tool === undefined) {
    if (all.has(request.toolName)) throw toolLeftOut(server.name, request.toolName);
    throw toolNotFound(server.name, request.toolName, [...tools.keys()]);
  }
  // A broken schema can type nothing; the check says that it is broken.
  const { typeParameters } = tool.broken === undefined ? options : {};
  const typed = typeParameters?.(request.parameters, tool.inputSchema);
  const parameters =
    typed instanceof Promise ? await raceSignal(typed, signal) : (typed ?? request.parameters);
  journal.parameters = parameters;
  const checking = checker.check(server.name, tool, parameters);
  if (checking !== undefined) await raceSignal(checking, signal);
  if (options.approve !== undefined) await askApproval(call, tool, journal);

  call.enter({ status: 'pending', waitingFor: 'turn' });
  using deadline = new Deadline(clock, timeout, () => call.end(tookTooLong(timeout)));
  const { serverId, sessionId, source } = request;
  const place = { serverId, sessionId, isPerson: people.has(source) };
  const { meta } = options;
  const toolCall = { tool: tool.name, arguments: parameters, ...(meta && { meta }) };
  return await runAttempts(toolCall, {
    tool,
    clock,
    signal,
    attempts: journal.attempts,
    ...(options.caller && { caller: deadline.restingWhile(options.caller) }),
    // Servers are only asked for progress when somebody wants it: it costs both sides on every call.
    ...((options.onProgress || options.progressExtends) && {
      onProgress: (progress) => {
        if (options.progressExtends) deadline.start();
        call.progress(progress);
        ports.onProgress(progress);
      },
    }),
    enter: async () => {
      const turn = await takeTurn(ready, queue, place, signal);
      if (journal.startedAt !== undefined) return turn;
      journal.startedAt = clock.now();
      reservation.start();
      deadline.start();
      ports.onStart();
      call.enter({ status: 'executing' });
      return turn;
    },
  });
}

/** The connection, started if need be. Starting has its own deadline; a lost server is given the call's. */
async function reach(
  runner: ServerRunner,
  timeout: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<LiveConnection> {
  const { server, state } = runner;
  if (!state.isRecovering) return runner.ready(signal);
  const impatience = new AbortController();
  using _timer = clock.after(timeout, () => {
    const why = state.reason?.message ?? '';
    const message = `Server "${server.name}" is restarting and did not come back within ${timeout} ms. ${why}`;
    const facts = { server: server.name, neverSent: true };
    const advice = 'Try again in a moment.';
    impatience.abort(new HostError('server_unavailable', `${message.trim()} ${advice}`, facts));
  });
  return await runner.ready(AbortSignal.any([signal, impatience.signal]));
}

async function askApproval(
  call: RunningCall,
  tool: ToolDescription,
  journal: CallJournal,
): Promise<void> {
  const { request, options, signal } = call;
  if (options.approve === undefined) return;
  call.enter({ status: 'pending', waitingFor: 'approval' });
  const refusal = await raceSignal(options.approve(request, tool, signal), signal);
  if (refusal === 'unasked') return;
  journal.approval = refusal === undefined ? 'given' : 'denied';
  if (refusal !== undefined) throw refusal;
}

/** Waits for a connection and a free place; the connection may change while the call waits for the place. */
async function takeTurn(
  ready: () => LiveConnection | Promise<LiveConnection>,
  queue: Semaphore,
  place: Waiter,
  signal: AbortSignal,
): Promise<Turn> {
  for (;;) {
    const live = await ready();
    const leave = await queue.enter(place, signal);
    if (!live.ended.aborted) {
      const lease = live.lease();
      return {
        live,
        [Symbol.dispose]: () => {
          lease[Symbol.dispose]();
          leave();
        },
      };
    }
    leave();
  }
}

/** Runs from its first start; starting it again restarts it. */
class Deadline {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  readonly #onDue: () => void;
  #timer: Disposable | undefined;
  #questions = 0;
  #isOver = false;

  constructor(clock: Clock, milliseconds: number, onDue: () => void) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
    this.#onDue = onDue;
  }

  start(): void {
    this.#timer?.[Symbol.dispose]();
    if (this.#questions > 0 || this.#isOver) return;
    this.#timer = this.#clock.after(this.#milliseconds, this.#onDue);
  }

  /** People take their time to answer, and no call should fail because of that. */
  restingWhile(caller: Caller): Caller {
    const { owner, elicitor, sampler } = caller;
    if (elicitor === undefined && sampler === undefined) return caller;
    return {
      owner,
      ...(elicitor && {
        elicitor: { elicit: (...asked) => this.#rest(elicitor.elicit(...asked)) },
      }),
      ...(sampler && { sampler: { sample: (...asked) => this.#rest(sampler.sample(...asked)) } }),
    };
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#timer?.[Symbol.dispose]();
  }

  async #rest<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#questions += 1;
    this.#timer?.[Symbol.dispose]();
    try {
      return await answer;
    } finally {
      this.#questions -= 1;
      this.start();
    }
  }
}

/** Somebody waits in front of a screen for these. */
const people: ReadonlySet<CallSource> = new Set(['user-codeblock', 'command', 'workbench']);

function tookTooLong(timeout: number): HostError {
  return fixedError('timeout', { timeoutMs: timeout });
}

function toolLeftOut(server: string, tool: string): HostError {
  const detail = `Server "${server}" has it, but "tools" in its entry of the settings leaves it out.`;
  return fixedError('tool_not_found', { server, tool, detail, neverSent: true });
}

/** The failure of a call of a tool that its server does not offer, with those it does. */
export function toolNotFound(server: string, tool: string, known: readonly string[]): HostError {
  // A server gives its tools names of any length.
  const shown = known
    .slice(0, 20)
    .map((name) => oneLine(name, 128))
    .join(', ');
  const more = known.length > 20 ? `, and ${known.length - 20} more` : '';
  const offers = known.length > 0 ? `offers: ${shown}${more}` : 'offers no tools';
  const meant = nearestName(tool, known);
  const question = meant === undefined ? '' : `Did you mean "${oneLine(meant, 128)}"? `;
  const detail = `${question}Server "${server}" ${offers}.`;
  return fixedError('tool_not_found', { server, tool, detail, neverSent: true });
}
