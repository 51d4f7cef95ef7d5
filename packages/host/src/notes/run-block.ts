import {
  languageOf,
  plainValue,
  type ResultContent,
  redrawResult,
  type SourceMap,
  type ToolBlock,
} from '@errand/document';
import { raceSignal } from '@errand/wire';
import { briefFailure, HostError, type HostErrorCode } from '../host-error.ts';
import { lastOutputOf } from '../text/last-output.ts';
import type { CallOutcome, ErrorInfo, ToolExecutionResult } from '../tool-invocation.ts';
import type { CallDecision } from './decide-call.ts';
import { alreadyDone, blockFailure, findBlockError, hasAnswer } from './find-block-error.ts';
import type { BlockOutcome } from './note-run.ts';
import type { NoteWriter } from './note-writer.ts';
import { resultContent } from './result-content.ts';
import type { RunNoteOptions, RunNotePorts } from './run-note-ports.ts';
import { typedParameters } from './typed-parameters.ts';

/** What the run of a block works with. */
interface BlockRunContext {
  readonly path: string;
  readonly sessionId: string;
  readonly force: boolean;
  /** Also runs finished blocks whose tool may act a second time. */
  readonly again: boolean;
  /** Whether no other block runs with it. */
  readonly isAlone: boolean;
  /** Whether the blocks below wait for this one. */
  readonly holdsOthers?: boolean;
  readonly writer: NoteWriter;
  /** Limits how many calls of the run are made at once. */
  readonly limiter: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly ports: RunNotePorts;
  readonly options: RunNoteOptions;
}

/** Where a block stands among those of its run. */
interface BlockTurn {
  readonly decision: Promise<CallDecision>;
  /** Resolves when everything has ended that the call must wait for. */
  readonly turn: Promise<unknown>;
}

/** Runs one block in its turn and writes its result. Failures are part of the outcome; only a defect throws. */
export async function runBlock(
  block: ToolBlock,
  turn: BlockTurn,
  context: BlockRunContext,
): Promise<BlockOutcome> {
  const outcome = await settle(block, turn, context).finally(() =>
    context.writer.expectNoMore(block),
  );
  context.options.onEvent?.({ kind: 'ended', block, outcome });
  return outcome;
}

async function settle(
  block: ToolBlock,
  { decision, turn }: BlockTurn,
  context: BlockRunContext,
): Promise<BlockOutcome> {
  const decided = await decision;
  if (decided.kind === 'refuse') {
    return writeFailure(block, context, failed(block, decided.error));
  }
  if (decided.kind === 'leave') return redraw(block, context, failed(block, decided.error));
  await waitFor(turn, block, context);
  if (decided.onlyReads || decided.isRepeatable) return callAndWrite(block, decided, context);
  return exclusively(block, context, (waited) => callAndWrite(block, decided, context, waited));
}

/** Does what must not happen twice while no other program does the same. */
async function exclusively(
  block: ToolBlock,
  { path, ports, options }: BlockRunContext,
  work: (waited: boolean) => Promise<BlockOutcome>,
): Promise<BlockOutcome> {
  const { notes } = ports;
  if (notes.whileRunning === undefined) return work(false);
  const signal = signalOf(block, options);
  try {
    return await notes.whileRunning(path, block.source, work, signal);
  } catch (error) {
    // The call itself reports that it was cancelled.
    if (signal?.aborted) return work(false);
    if (!(error instanceof HostError)) throw error;
    return failed(block, error);
  }
}

async function callAndWrite(
  block: ToolBlock,
  decided: AllowedCall,
  context: BlockRunContext,
  waited = false,
): Promise<BlockOutcome> {
  if ((waited || !context.isAlone) && !decided.onlyReads) {
    const change = await findChange(block, decided, context, waited);
    if (change === alreadyDone && hasAnswer(block)) {
      return redraw(block, context, failed(block, change));
    }
    if (change !== undefined) return failed(block, change);
  }
  const holding = { ...context, holdsOthers: !decided.onlyReads };
  const params = await resolvedParams(block, context);
  if (params.kind === 'missing') {
    const run = failed(block, params.error);
    // An answer must not be replaced by an error: the next run would take the block for one that was never done.
    return block.result?.status === 'success' ? run : writeFailure(block, holding, run);
  }
  const outcome = await context.limiter(() =>
    callTool(block, params.params, decided.serverId, context),
  );
  if (outcome.status === 'success') return writeAnswer(block, holding, outcome, outcome.result);
  return writeFailure(block, holding, failed(block, outcome.error, outcome));
}

/** The parameters of a block with the answers that it refers to, which may have come in this run. */
async function resolvedParams(
  block: ToolBlock,
  { writer }: BlockRunContext,
): Promise<
  | { readonly kind: 'params'; readonly params: SourceMap }
  | { readonly kind: 'missing'; readonly error: ErrorInfo }
> {
  if (block.references.length === 0) return { kind: 'params', params: block.params };
  try {
    const { params, problem, unresolved } = await writer.find(block);
    const mistake = problem ?? unresolved;
    if (mistake === null) return { kind: 'params', params };
    return { kind: 'missing', error: blockFailure(mistake) };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { kind: 'missing', error };
  }
}

/** Writes the stored answer as the block asks now: the tool is not called again for that. */
async function redraw(
  block: ToolBlock,
  { writer }: BlockRunContext,
  run: BlockOutcome,
): Promise<BlockOutcome> {
  const content = block.state === 'stale' ? redrawResult(block) : null;
  if (content === null) return run;
  try {
    return { ...run, written: await writer.write(block, content) };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return run;
  }
}

async function waitFor(
  turn: Promise<unknown>,
  block: ToolBlock,
  { isAlone, options }: BlockRunContext,
): Promise<void> {
  if (isAlone) return;
  options.onEvent?.({ kind: 'state', block, state: { status: 'pending', waitingFor: 'turn' } });
  const signal = signalOf(block, options);
  // The call itself reports that it was cancelled.
  await (signal === undefined ? turn : raceSignal(turn, signal).catch(() => {}));
}

type AllowedCall = Extract<CallDecision, { readonly kind: 'call' }>;

/** What happened to a block while it waited: somebody may have edited it, or another program may have run it. */
async function findChange(
  block: ToolBlock,
  { isRepeatable }: AllowedCall,
  { writer, ports, force, again }: BlockRunContext,
  waited: boolean,
): Promise<ErrorInfo | undefined> {
  try {
    const now = await writer.find(block);
    const error = findBlockError(now, ports.host.servers.find(now.server ?? ''), force);
    if (error !== undefined) return error;
    // Whoever asked for a block that another program was running has got what they asked for.
    const isAnswered = waited && now.result?.sum !== block.result?.sum;
    return hasAnswer(now) && !isRepeatable && (!again || isAnswered) ? alreadyDone : undefined;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return error;
  }
}

/** Ends the call of a block; undefined when nothing can. */
export function signalOf(block: ToolBlock, options: RunNoteOptions): AbortSignal | undefined {
  const signals = [options.signal, options.signalOf?.(block)].filter((each) => each !== undefined);
  return signals.length === 0 ? undefined : AbortSignal.any(signals);
}

function callTool(
  block: ToolBlock,
  params: SourceMap,
  serverId: string,
  context: BlockRunContext,
): Promise<CallOutcome> {
  const { onEvent } = context.options;
  const signal = signalOf(block, context.options);
  const requestId = crypto.randomUUID();
  onEvent?.({ kind: 'called', block, requestId });
  return context.ports.host.execute(
    {
      id: requestId,
      serverId,
      toolName: block.tool ?? '',
      // As they stand in the note: the same block, edited meanwhile, must not join this call.
      parameters: plainValue(params) as Readonly<Record<string, unknown>>,
      source: 'user-codeblock',
      sessionId: context.sessionId,
      documentPath: context.path,
      sectionLine: block.line,
      section: block.section,
      ...(block.options.timeout !== undefined && { timeout: block.options.timeout }),
    },
    {
      ...(signal && { signal }),
      typeParameters: (_, schema) => typedParameters(params, schema),
      onState: (state) => onEvent?.({ kind: 'state', block, state }),
      onProgress: (progress) => onEvent?.({ kind: 'progress', block, progress }),
    },
  );
}

async function writeAnswer(
  block: ToolBlock,
  context: BlockRunContext,
  outcome: CallOutcome,
  result: ToolExecutionResult,
): Promise<BlockOutcome> {
  const { writer, ports, holdsOthers } = context;
  const { durationMs, attempts } = outcome;
  let content: ResultContent | undefined;
  try {
    // The tool has run: cancelling now must not lose its answer.
    content = await resultContent(result, block.options.as, ports.attachments);
    const written = await writer.write(block, content, holdsOthers);
    return { ...report(block), status: 'success', durationMs, attempts, written, error: null };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const text = content?.payload ?? JSON.stringify(result.raw);
    const message = `${error.message} ${await keep(text, outcome.requestId, ports.log)}`;
    return failed(block, { code: error.code, message, advice: error.advice }, outcome);
  }
}

/** Stores a result that could not be written to the note in the log, and says where it is. */
async function keep(text: string, callId: string, log: RunNotePorts['log']): Promise<string> {
  try {
    return `The result is kept in ${await log.keepResult(callId, text)}`;
  } catch (error) {
    // The disk may be full; then at least show the result.
    const why = error instanceof Error ? error.message : String(error);
    const isLong = text.length > shownAtMost;
    const shown = isLong ? `${text.slice(0, shownAtMost).toWellFormed()} …` : text;
    return `The result could not be kept in the log either (${why}). ${isLong ? 'It begins' : 'It is'}:\n${shown}`;
  }
}

const shownAtMost = 2_000;

async function writeFailure(
  block: ToolBlock,
  context: BlockRunContext,
  run: BlockOutcome,
): Promise<BlockOutcome> {
  const { error, status } = run;
  const isCallFailed = status === 'error' || status === 'timeout';
  const isForeign = block.problem?.isForeign === true;
  if (error === null || !isCallFailed || isForeign || keepsLastResult(block, context)) return run;
  const content = {
    status: 'error',
    type: 'text',
    code: error.code,
    // Results above move the lines of the note, not those of the block.
    payload: block.problem?.messageInBlock ?? error.message,
  } as const;
  try {
    const written = await context.writer.write(block, content, context.holdsOthers);
    return { ...run, written };
  } catch (unplaced) {
    if (!(unplaced instanceof HostError)) throw unplaced;
    // Nothing was called: what is wrong with the block is all there is to say.
    if (run.attempts === 0) return run;
    const message = `${unplaced.message} The call had failed: ${error.message}`;
    return failed(block, { code: unplaced.code, message, advice: unplaced.advice }, run);
  }
}

function keepsLastResult(block: ToolBlock, context: BlockRunContext): boolean {
  const { onError } = context.ports.host.servers.settings;
  return onError === 'keep' && block.result?.status === 'success';
}

/** The outcome of a failed block; its status follows from the code of the error. */
function failed(
  block: ToolBlock,
  error: ErrorInfo,
  { durationMs = 0, attempts = 0 }: Partial<Pick<CallOutcome, 'durationMs' | 'attempts'>> = {},
): BlockOutcome {
  const status = statusOfFailure(error.code);
  const lastOutput = lastOutputOf(error);
  return {
    ...report(block),
    status,
    durationMs,
    attempts,
    written: false,
    error: { ...briefFailure(error), ...(lastOutput !== '' && { lastOutput }) },
  };
}

function report(block: ToolBlock): Pick<BlockOutcome, 'line' | 'server' | 'language' | 'tool'> {
  const { line, server, fence, tool } = block;
  return { line, server, ...(server === null && { language: languageOf(fence.info) }), tool };
}

/** The status of a block that failed with this code. Only `error` and `timeout` are written to the note. */
function statusOfFailure(code: HostErrorCode): BlockOutcome['status'] {
  return statusByCode[code] ?? 'error';
}

const statusByCode: Readonly<Partial<Record<HostErrorCode, BlockOutcome['status']>>> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  stopped: 'cancelled',
  server_disabled: 'skipped',
  already_done: 'skipped',
  section_forbids: 'refused',
  session_limit: 'refused',
  untrusted: 'refused',
  output_edited: 'refused',
  note_changed: 'refused',
  note_unreadable: 'refused',
};
