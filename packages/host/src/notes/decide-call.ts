import type { ToolBlock } from '@errand/document';
import { raceSignal } from '@errand/wire';
import { HostError } from '../host-error.ts';
import type { Servers } from '../registry/servers.ts';
import type { Tools } from '../registry/tool-list.ts';
import type { ErrorInfo } from '../tool-invocation.ts';
import { isRepeatableTool } from '../tools/is-repeatable-tool.ts';
import { alreadyDone, findBlockError, hasAnswer } from './find-block-error.ts';

/** What a run does with a block. */
export type CallDecision =
  /** The block cannot be called; the note says so. */
  | { readonly kind: 'refuse'; readonly error: ErrorInfo }
  /** Nothing is written: what stands below the block stays. */
  | { readonly kind: 'leave'; readonly error: ErrorInfo }
  | {
      readonly kind: 'call';
      readonly serverId: string;
      /** What is not known to be so is not. */
      readonly onlyReads: boolean;
      readonly isRepeatable: boolean;
    };

interface DecideOptions {
  readonly force: boolean;
  /** Also calls finished blocks whose tool may act a second time. */
  readonly again: boolean;
  /** Whether no other block runs with it, so that it waits for none and holds none. */
  readonly isAlone: boolean;
  /** Asks a server for its tools. */
  readonly toolsOf: (serverId: string) => Promise<Tools>;
  readonly signal: AbortSignal;
}

/** Decides whether a block is called, by its text and by what its server says about the tool (D27). */
export async function decideCall(
  block: ToolBlock,
  servers: Pick<Servers, 'find'>,
  { force, again, isAlone, toolsOf, signal }: DecideOptions,
): Promise<CallDecision> {
  const server = servers.find(block.server ?? '');
  const error = findBlockError(block, server, force);
  // A broken settings file is no mistake of the block: its answer stays.
  if (error?.code === 'settings_invalid') return { kind: 'leave', error };
  if (error !== undefined) return { kind: 'refuse', error };
  const serverId = server?.id ?? '';
  const unknown: CallDecision = { kind: 'call', serverId, onlyReads: false, isRepeatable: false };
  const isFinished = hasAnswer(block) && !again;
  if (isAlone && !isFinished) return unknown;
  try {
    const tools = await raceSignal(toolsOf(serverId), signal);
    const tool = tools.get(block.tool ?? '');
    const isRepeatable = isRepeatableTool(tool);
    // Whether it is done, a block that refers to others knows in its turn: their answers may change until then.
    const isSettled = isAlone || block.references.length === 0;
    if (isFinished && !isRepeatable && isSettled) return { kind: 'leave', error: alreadyDone };
    const onlyReads = tool?.annotations?.readOnlyHint === true;
    return { kind: 'call', serverId, onlyReads, isRepeatable };
  } catch (failure) {
    if (!(failure instanceof HostError) && !signal.aborted) throw failure;
    // An answer must not be replaced by an error: the next run would take the block for one that was never done.
    const isLeft = isFinished && failure instanceof HostError;
    return isLeft ? { kind: 'leave', error: failure } : unknown;
  }
}

/** Asks each server for its tools once; one that was lost and comes back is taken by what it listed before. */
export function createToolLookup(
  servers: Pick<Servers, 'tools' | 'lastTools' | 'progress'>,
  signal: AbortSignal,
): (serverId: string) => Promise<Tools> {
  const asked = new Map<string, Promise<Tools>>();
  const ask = async (serverId: string): Promise<Tools> => {
    const known = servers.progress(serverId).isRecovering && servers.lastTools(serverId);
    if (known) return known;
    const tools = await servers.tools(serverId, signal);
    return new Map(tools.map((tool) => [tool.name, tool]));
  };
  return (serverId) => {
    const tools = asked.get(serverId) ?? ask(serverId);
    asked.set(serverId, tools);
    return tools;
  };
}
