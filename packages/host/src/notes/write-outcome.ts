import { languageOf, type ResultContent, type ToolBlock } from '@errand/document';
import { briefFailure, HostError, type HostErrorCode } from '../host-error.ts';
import { lastOutputOf } from '../text/last-output.ts';
import type { CallOutcome, ErrorInfo, ToolExecutionResult } from '../tool-invocation.ts';
import type { BlockOutcome } from './note-run.ts';
import type { NoteWriter } from './note-writer.ts';
import { resultContent } from './result-content.ts';
import type { RunNoteOptions, RunNotePorts } from './run-note-ports.ts';

/** What the run of a block works with. */
export interface BlockRunContext {
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

/** Writes the answer of a call below its block. */
export async function writeAnswer(
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

/** Writes why a block failed below it, unless something that is worth more stands there. */
export async function writeFailure(
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
export function failed(
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
