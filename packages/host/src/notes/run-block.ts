import { type ResultContent, type ToolBlock, typeParams } from '@errand/document';
import { HostError, type HostErrorCode } from '../host-error.ts';
import type { ServerConfig } from '../settings.ts';
import type { CallOutcome, ErrorInfo, ToolExecutionResult } from '../tool-invocation.ts';
import type { BlockRun } from './note-run.ts';
import type { NoteWriter } from './note-writer.ts';
import { resultContent } from './result-content.ts';
import type { RunNoteOptions, RunNotePorts } from './run-note-ports.ts';

/** Where a block stands and what its run works with. */
export interface BlockPlace {
  readonly path: string;
  readonly sessionId: string;
  readonly force: boolean;
  readonly writer: NoteWriter;
  readonly ports: RunNotePorts;
  readonly options: RunNoteOptions;
}

/** Runs one block and writes what came of it. Every failure but a defect is part of the answer. */
export async function runBlock(block: ToolBlock, place: BlockPlace): Promise<BlockRun> {
  const run = await settle(block, place);
  place.options.onEvent?.({ kind: 'ended', block, run });
  return run;
}

async function settle(block: ToolBlock, place: BlockPlace): Promise<BlockRun> {
  if (block.problem !== null) return writeFailure(block, place, failed(block, block.problem));
  if (block.refusal !== null) return failed(block, block.refusal);
  // Asked before the call: a tool must not act when its answer has no place.
  if (block.result?.isEdited && !place.force) return failed(block, editedByHand(block.result.line));
  const server = place.ports.host.servers.find(block.server ?? '');
  if (server === undefined) return writeFailure(block, place, failed(block, noServer));
  const outcome = await callTool(block, server, place);
  if (outcome.status === 'success') return writeAnswer(block, place, outcome, outcome.result);
  return writeFailure(block, place, failed(block, outcome.error, outcome));
}

function callTool(block: ToolBlock, server: ServerConfig, place: BlockPlace): Promise<CallOutcome> {
  const { signal, onEvent } = place.options;
  return place.ports.host.execute(
    {
      id: crypto.randomUUID(),
      serverId: server.id,
      toolName: block.tool ?? '',
      parameters: {},
      source: 'user-codeblock',
      sessionId: place.sessionId,
      documentPath: place.path,
      sectionLine: block.line,
      section: block.section,
      ...(block.options.timeout !== undefined && { timeout: block.options.timeout }),
    },
    {
      ...(signal && { signal }),
      typeParameters: (_, schema) => typedParameters(block, schema),
      onState: (state) => onEvent?.({ kind: 'state', block, state }),
      onProgress: (progress) => onEvent?.({ kind: 'progress', block, progress }),
    },
  );
}

/** The block's parameters as the tool's schema wants them, from their text in the note. */
function typedParameters(block: ToolBlock, schema: unknown): Readonly<Record<string, unknown>> {
  const { values, problems } = typeParams(block.params, schema);
  const [first] = problems;
  if (first === undefined) return values;
  const message = problems.map((problem) => problem.message).join(' ');
  throw new HostError('invalid_params', message, { path: first.path, neverSent: true });
}

async function writeAnswer(
  block: ToolBlock,
  place: BlockPlace,
  outcome: CallOutcome,
  result: ToolExecutionResult,
): Promise<BlockRun> {
  const { writer, ports, options } = place;
  const { durationMs, attempts } = outcome;
  const { signal } = options;
  let content: ResultContent | undefined;
  try {
    content = await resultContent(result, block.options.as, ports.attachments, signal);
    const written = await writer.write(block, content);
    return { ...report(block), status: 'success', durationMs, attempts, written, error: null };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const text = content?.payload ?? JSON.stringify(result.raw);
    const kept = await ports.log.keepResult(outcome.requestId, text);
    const message = `${error.message} The result is kept in ${kept}`;
    return failed(block, { code: error.code, message }, outcome);
  }
}

async function writeFailure(block: ToolBlock, place: BlockPlace, run: BlockRun): Promise<BlockRun> {
  const { error, status } = run;
  const isCallFailed = status === 'error' || status === 'timeout';
  if (error === null || !isCallFailed || keepsLastResult(block, place)) return run;
  const content = {
    status: 'error',
    type: 'text',
    code: error.code,
    payload: error.message,
  } as const;
  try {
    return { ...run, written: await place.writer.write(block, content) };
  } catch (unplaced) {
    if (!(unplaced instanceof HostError)) throw unplaced;
    return failed(block, unplaced, run);
  }
}

function keepsLastResult(block: ToolBlock, place: BlockPlace): boolean {
  const { onError } = place.ports.host.servers.settings;
  return onError === 'keep' && block.result?.status === 'success';
}

/** How a block ended that failed; what kind of ending it is follows from the code. */
function failed(
  block: ToolBlock,
  { code, message }: Pick<ErrorInfo, 'code' | 'message'>,
  { durationMs = 0, attempts = 0 }: Partial<Pick<CallOutcome, 'durationMs' | 'attempts'>> = {},
): BlockRun {
  const status = endings[code] ?? 'error';
  return {
    ...report(block),
    status,
    durationMs,
    attempts,
    written: false,
    error: { code, message },
  };
}

/** Codes that are no failure of the call itself. Nothing is written for those but a timeout. */
const endings: Readonly<Partial<Record<HostErrorCode, BlockRun['status']>>> = {
  timeout: 'timeout',
  cancelled: 'cancelled',
  stopped: 'cancelled',
  server_disabled: 'skipped',
  section_forbids: 'refused',
  session_limit: 'refused',
  untrusted: 'refused',
  output_edited: 'refused',
  note_changed: 'refused',
  note_unreadable: 'refused',
};

function report({ line, server, tool }: ToolBlock): Pick<BlockRun, 'line' | 'server' | 'tool'> {
  return { line, server, tool };
}

function editedByHand(line: number): Pick<ErrorInfo, 'code' | 'message'> {
  const message = `The result on line ${line} was edited by hand. Delete it, or run again with --force to replace it.`;
  return { code: 'output_edited', message };
}

const noServer: Pick<ErrorInfo, 'code' | 'message'> = {
  code: 'server_unknown',
  message: 'No server is enabled for this block. See them with: errand servers',
};
