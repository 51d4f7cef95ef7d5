import {
  type BindingProblem,
  findToolBlocks,
  languageOf,
  plainValue,
  resolveSections,
  scan,
  type ToolBlock,
} from '@errand/document';
import type { Host } from '../create-host.ts';
import { toolNotFound } from '../executor/perform-call.ts';
import { briefFailure, HostError } from '../host-error.ts';
import type { ErrorInfo } from '../tool-invocation.ts';
import { isRepeatableTool } from '../tools/is-repeatable-tool.ts';
import { type BlockChoice, chooseBlocks } from './choose-blocks.ts';
import { alreadyDone, blockFailure, findBlockError, hasAnswer } from './find-block-error.ts';
import { noSuchBlock } from './no-such-block.ts';
import type { RunNotePorts } from './run-note-ports.ts';
import { typedParameters } from './typed-parameters.ts';

/** What a run would do, block by block. */
export interface NotePlan {
  readonly note: string;
  readonly blocks: readonly PlannedBlock[];
  /** Mistakes in the bindings of the note. */
  readonly problems: readonly BindingProblem[];
}

interface PlannedBlock {
  readonly line: number;
  readonly server: string | null;
  /** The language of its fence; there when no server is. */
  readonly language?: string;
  readonly tool: string | null;
  /** The parameters as the tool would get them; null when it would not be called. */
  readonly params: Readonly<Record<string, unknown>> | null;
  /** Why it would not be called. */
  readonly error: Pick<ErrorInfo, 'code' | 'message' | 'advice'> | null;
}

/** Says what running a note would call. Servers are asked for their tools; no tool is called. */
export async function planNote(
  { path, choice = {}, force = false, again = choice.blocks?.length === 1 }: PlanNoteRequest,
  { host, notes }: PlanNotePorts,
  signal: AbortSignal,
): Promise<NotePlan> {
  const context = host.servers.noteContext(path);
  const note = scan(await notes.read(path, signal));
  const blocks = findToolBlocks(note, context);
  const found = chooseBlocks(blocks, choice, note);
  if (found.unmet.length > 0) throw noSuchBlock(path, choice, found, blocks);
  const { chosen } = found;
  const coming = new Map(chosen.map(({ id, state }) => [id, state]));
  const plan = (block: ToolBlock) => planBlock(block, { force, again, coming }, host, signal);
  const { problems } = resolveSections(note, context);
  return { note: path, blocks: await Promise.all(chosen.map(plan)), problems };
}

interface PlanNotePorts extends Pick<RunNotePorts, 'notes'> {
  readonly host: Pick<Host, 'servers' | 'check'>;
}

interface PlanNoteRequest {
  readonly path: string;
  readonly choice?: BlockChoice;
  readonly force?: boolean;
  /** As for a run. */
  readonly again?: boolean;
}

interface PlanOptions extends Required<Pick<PlanNoteRequest, 'force' | 'again'>> {
  /** The blocks that the run would run too, by their ids. */
  readonly coming: ReadonlyMap<string | null, ToolBlock['state']>;
}

async function planBlock(
  block: ToolBlock,
  { force, again, coming }: PlanOptions,
  { servers, check }: PlanNotePorts['host'],
  signal: AbortSignal,
): Promise<PlannedBlock> {
  const { line, tool } = block;
  const server = servers.find(block.server ?? '');
  const language = block.server === null && { language: languageOf(block.fence.info) };
  const planned = { line, server: block.server, ...language, tool };
  const blockError = findBlockError(block, server, force);
  if (blockError !== undefined) return { ...planned, params: null, error: blockError };
  try {
    const offered = await servers.tools(server?.id ?? '', signal);
    const description = offered.find(({ name }) => name === tool);
    if (description === undefined) {
      const known = offered.map(({ name }) => name);
      throw toolNotFound(server?.name ?? '', tool ?? '', known);
    }
    if (hasAnswer(block) && !again && !isRepeatableTool(description)) {
      return { ...planned, params: null, error: alreadyDone };
    }
    if (block.unresolved !== null) {
      // Answers that are there show already what is wrong with the reference.
      const isComing =
        block.references.every((id) => coming.has(id)) &&
        block.references.some((id) => coming.get(id) !== 'fresh');
      if (!isComing) return { ...planned, params: null, error: blockFailure(block.unresolved) };
      const written = plainValue(block.params) as Readonly<Record<string, unknown>>;
      return { ...planned, params: written, error: null };
    }
    const params = typedParameters(block.params, description.inputSchema);
    await check(server?.name ?? '', description, params);
    return { ...planned, params, error: null };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { ...planned, params: null, error: briefFailure(error) };
  }
}
