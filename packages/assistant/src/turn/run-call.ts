import {
  type AIToolContext,
  type CallOutcome,
  type CallRecord,
  type ExecuteOptions,
  fixedError,
  HostError,
  type ModelRound,
} from '@errand/host';
import type { NamedTool } from '../tools/name-tools.ts';
import { searchToolName, searchTools } from '../tools/search-tools.ts';
import type { CallWish } from './ask-model.ts';
import type { AskedCall, ConversationEvent } from './conversation-event.ts';

/** What the calls of a round are made with. */
export interface CallSurroundings {
  readonly context: AIToolContext;
  /** The same as it is later, when a person has thought about a call. */
  readonly contextNow: () => Promise<AIToolContext>;
  /** All tools, offered or to be searched for. */
  readonly tools: readonly NamedTool[];
  readonly round: ModelRound;
  /** Told of calls that never come to the executor, which logs all others. */
  readonly logUnmade: (call: Pick<CallRecord, 'id' | 'server' | 'tool' | 'error'>) => void;
  readonly approve: NonNullable<ExecuteOptions['approve']>;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ConversationEvent) => void;
}

/** What came of a wish: a call's outcome, or tools that were found. */
export type WishResult =
  | { readonly kind: 'called'; readonly call: AskedCall; readonly outcome: CallOutcome }
  | { readonly kind: 'searched'; readonly found: readonly NamedTool[] };

/** Makes one call that a model asked for. Whatever goes wrong is an outcome that it can be told. */
export async function runCall(wish: CallWish, surroundings: CallSurroundings): Promise<WishResult> {
  const { tools, onEvent } = surroundings;
  const known = tools.find(({ name }) => name === wish.name)?.tool;
  if (wish.name === searchToolName && wish.mistake === undefined) {
    return search(wish.input as SearchInput, surroundings);
  }
  const call: AskedCall = {
    id: crypto.randomUUID(),
    server: known?.serverName ?? null,
    tool: known?.toolName ?? wish.name,
    parameters: parametersOf(wish),
  };
  onEvent({ kind: 'call-asked', call });
  const outcome = await settle(call, wish, known, surroundings);
  onEvent({ kind: 'call-ended', call, outcome });
  return { kind: 'called', call, outcome };
}

interface SearchInput {
  readonly query?: unknown;
  readonly server?: unknown;
}

function search({ query, server }: SearchInput, surroundings: CallSurroundings): WishResult {
  const { tools, onEvent } = surroundings;
  const wanted = {
    query: String(query ?? ''),
    ...(typeof server === 'string' && server !== '' && { server }),
  };
  const found = searchTools(tools, wanted);
  onEvent({ kind: 'tools-searched', query: wanted.query, found: found.map(({ name }) => name) });
  return { kind: 'searched', found };
}

async function settle(
  call: AskedCall,
  wish: CallWish,
  known: NamedTool['tool'] | undefined,
  { context, contextNow, tools, round, logUnmade, approve, signal, onEvent }: CallSurroundings,
): Promise<CallOutcome> {
  if (known === undefined) {
    const names = tools.slice(0, 20).map(({ name }) => name);
    const detail = `There are: ${names.join(', ') || 'none'}.`;
    return failed(call, fixedError('tool_not_found', { tool: wish.name, detail }), logUnmade);
  }
  if (wish.mistake !== undefined) {
    const message = `The arguments of ${wish.name} cannot be read; nothing was called. ${wish.mistake}`;
    return failed(call, new HostError('invalid_params', message), logUnmade);
  }
  return context.executeTool(known.serverId, known.toolName, call.parameters, {
    id: call.id,
    round,
    signal,
    onState: ({ status }) => {
      if (status === 'executing') onEvent({ kind: 'call-started', call });
    },
    onProgress: (progress) => onEvent({ kind: 'call-progressed', call, progress }),
    approve: async (request, tool, asked) => {
      const said = await approve(request, tool, asked);
      const answer = said ?? (await contextNow()).refuses(known.serverId);
      if (answer === undefined) onEvent({ kind: 'call-approved', call });
      else if (answer !== 'unasked') onEvent({ kind: 'call-denied', call, reason: answer.message });
      return answer;
    },
  });
}

function parametersOf({ input, mistake }: CallWish): Readonly<Record<string, unknown>> {
  return mistake === undefined ? (input as Readonly<Record<string, unknown>>) : {};
}

function failed(
  { id, server, tool }: AskedCall,
  { code, message }: HostError,
  logUnmade: CallSurroundings['logUnmade'],
): CallOutcome {
  const error = { code, message };
  logUnmade({ id, server: server ?? 'unknown', tool, error });
  return { requestId: id, attempts: 0, durationMs: 0, status: 'error', error };
}
