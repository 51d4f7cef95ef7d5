import type { CallAttempt } from '../call-log.ts';
import type { Caller } from '../caller.ts';
import type { Clock } from '../clock.ts';
import type { Progress, RawToolResult, ToolCall, ToolDescription } from '../connection.ts';
import { HostError } from '../host-error.ts';
import type { LiveConnection } from '../registry/live-connection.ts';
import { isRepeatableTool } from '../tools/is-repeatable-tool.ts';
import { isConnectionLoss } from './is-connection-loss.ts';

interface AttemptOptions {
  readonly tool: ToolDescription;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly caller?: Caller;
  /** Waits for the server and for a turn. */
  readonly enter: () => Promise<Turn>;
  /** Every try is written here as it happens. */
  readonly attempts: CallAttempt[];
}

/** A connection and a place among the running calls; disposing it frees both. */
export interface Turn extends Disposable {
  readonly live: LiveConnection;
}

/**
 * Makes a call, and makes it again only when that cannot repeat a side effect: it certainly never reached the
 * server, or its tool declares that repeating is harmless.
 */
export async function runAttempts(call: ToolCall, options: AttemptOptions): Promise<RawToolResult> {
  const { clock, signal, attempts } = options;
  let losses = 0;
  for (const pause of [...pauses, undefined]) {
    using turn = await options.enter();
    const startedAt = clock.now();
    attempts.push({ startedAt });
    try {
      const result = await attempt(call, turn.live, options);
      turn.live.noteEnd('answered');
      return result;
    } catch (error) {
      if (error instanceof HostError && error.code === 'timeout') turn.live.noteEnd('timed-out');
      if (pause === undefined || signal.aborted || !mayRepeat(error, options.tool)) throw error;
      turn[Symbol.dispose]();
      // The loss of the connection may be noticed a moment after the call failed.
      await sleepUntil(clock, pause, turn.live.ended, signal);
      if (turn.live.ended.aborted && !error.facts.neverSent) losses += 1;
      // A call that took its server down twice would do so again, until the server is given up.
      if (losses > 1) throw error;
      attempts[attempts.length - 1] = { startedAt, reason: error.message };
    }
  }
  throw new Error('unreachable: the last attempt returns or throws');
}

/** How long a call that may be repeated waits while its connection seems to live. */
const pauses: readonly number[] = [1_000, 5_000, 15_000];

function attempt(
  call: ToolCall,
  live: LiveConnection,
  { signal, onProgress, caller }: AttemptOptions,
): Promise<RawToolResult> {
  return live.connection.callTool(call, {
    signal,
    ...(onProgress && { onProgress }),
    ...(caller && { caller }),
  });
}

function mayRepeat(error: unknown, tool: ToolDescription): error is HostError {
  if (!(error instanceof HostError) || !isConnectionLoss(error)) return false;
  // Who calls decides whether to wait for as long as the server asks.
  if (error.facts.retryAfter !== undefined) return false;
  return error.facts.neverSent === true || isRepeatableTool(tool);
}

async function sleepUntil(
  clock: Clock,
  milliseconds: number,
  event: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  await clock.sleep(milliseconds, AbortSignal.any([event, signal])).catch(() => {});
  signal.throwIfAborted();
}
