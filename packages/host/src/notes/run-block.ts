import { plainValue, redrawResult, type SourceMap, type ToolBlock } from '@errand/document';
import { raceSignal } from '@errand/wire';
import { HostError } from '../host-error.ts';
import type { EarlierRun } from '../note-store.ts';
import type { CallOutcome, ErrorInfo } from '../tool-invocation.ts';
import type { CallDecision } from './decide-call.ts';
import { alreadyDone, blockFailure, findBlockError, hasAnswer } from './find-block-error.ts';
import type { BlockOutcome } from './note-run.ts';
import type { RunNoteOptions } from './run-note-ports.ts';
import { typedParameters } from './typed-parameters.ts';
import { type BlockRunContext, failed, writeAnswer, writeFailure } from './write-outcome.ts';

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
  return exclusively(block, context, (earlier) => callAndWrite(block, decided, context, earlier));
}

/** What is known of a block whose program was ended in the middle of its call. A person decides; the next run calls it. */
const interrupted: ErrorInfo = {
  code: 'owner_lost',
  message:
    'The program that ran this block ended in the middle of the call, which may have taken effect. If it has not, run the block again.',
};

/** Does what must not happen twice while no other program does the same. */
async function exclusively(
  block: ToolBlock,
  { path, ports, options }: BlockRunContext,
  work: (earlier: EarlierRun) => Promise<BlockOutcome>,
): Promise<BlockOutcome> {
  const { notes } = ports;
  if (notes.whileRunning === undefined) return work('none');
  const signal = signalOf(block, options);
  try {
    return await notes.whileRunning(path, block.source, work, signal);
  } catch (error) {
    // The call itself reports that it was cancelled.
    if (signal?.aborted) return work('none');
    if (!(error instanceof HostError)) throw error;
    return failed(block, error);
  }
}

async function callAndWrite(
  block: ToolBlock,
  decided: AllowedCall,
  context: BlockRunContext,
  earlier: EarlierRun = 'none',
): Promise<BlockOutcome> {
  if (!decided.onlyReads) {
    const change = await findChange(block, decided, context);
    if (change === alreadyDone && hasAnswer(block)) {
      return redraw(block, context, failed(block, change));
    }
    if (change !== undefined) return failed(block, change);
  }
  if (earlier === 'interrupted' && !context.again) {
    return writeFailure(block, context, failed(block, interrupted));
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
): Promise<ErrorInfo | undefined> {
  try {
    const now = await writer.find(block);
    const error = findBlockError(now, ports.host.servers.find(now.server ?? ''), force);
    if (error !== undefined) return error;
    // Whoever asked for a block that another program has run meanwhile has got what they asked for.
    const isAnswered = now.result?.sum !== block.result?.sum;
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
