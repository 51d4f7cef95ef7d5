import {
  type AIToolContext,
  briefFailure,
  type CallOutcome,
  type CallRecord,
  type ExecuteOptions,
  fixedError,
  HostError,
  type ModelRound,
} from '@errand/host';
import { type NamedTool, toolNamedBy } from '../tools/name-tools.ts';
import { searchToolName, searchTools } from '../tools/search-tools.ts';
import type { AskedCall, ConversationEvent } from './conversation-event.ts';
import type { RequestedCall } from './read-answer.ts';

/** Dependencies of the calls of a round. */
export interface CallContext {
  readonly context: AIToolContext;
  /** The context after approval, which may have taken a while. */
  readonly contextNow: () => Promise<AIToolContext>;
  /** All tools, offered or to be searched for. */
  readonly tools: readonly NamedTool[];
  readonly round: ModelRound;
  /** Logs calls that never reach the executor, which logs all others. */
  readonly logRejected: (call: Pick<CallRecord, 'id' | 'server' | 'tool' | 'error'>) => void;
  readonly approve: NonNullable<ExecuteOptions['approve']>;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ConversationEvent) => void;
}

/** The result of a requested call: its outcome, or the tools that a search found. */
export type CallResult =
  | { readonly kind: 'called'; readonly call: AskedCall; readonly outcome: CallOutcome }
  | { readonly kind: 'searched'; readonly found: readonly NamedTool[] };

/** Makes one call requested by a model. Every failure becomes an outcome for the model. */
export async function runCall(
  requested: RequestedCall,
  callContext: CallContext,
): Promise<CallResult> {
  const { tools, context, onEvent } = callContext;
  const known = tools.find(({ name }) => name === requested.name)?.tool;
  if (requested.name === searchToolName && requested.mistake === undefined) {
    return search(requested.input as SearchInput, callContext);
  }
  const disabled = known ? undefined : toolNamedBy(requested.name, context.disabledServers);
  const call: AskedCall = {
    id: crypto.randomUUID(),
    server: known?.serverName ?? disabled?.server ?? null,
    tool: known?.toolName ?? disabled?.tool ?? requested.name,
    parameters: parametersOf(requested),
  };
  onEvent({ kind: 'call-asked', call });
  const outcome = await settle(call, requested, known, callContext);
  onEvent({ kind: 'call-ended', call, outcome });
  return { kind: 'called', call, outcome };
}

interface SearchInput {
  readonly query?: unknown;
  readonly server?: unknown;
}

function search({ query, server }: SearchInput, callContext: CallContext): CallResult {
  const { tools, onEvent } = callContext;
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
  requested: RequestedCall,
  known: NamedTool['tool'] | undefined,
  { context, contextNow, tools, round, logRejected, approve, signal, onEvent }: CallContext,
): Promise<CallOutcome> {
  if (known === undefined && call.server !== null) {
    return failed(call, fixedError('server_disabled', { server: call.server }), logRejected);
  }
  if (known === undefined) {
    const names = tools.slice(0, 20).map(({ name }) => name);
    const detail = `There are: ${names.join(', ') || 'none'}.`;
    return failed(
      call,
      fixedError('tool_not_found', { tool: requested.name, detail }),
      logRejected,
    );
  }
  if (requested.mistake !== undefined) {
    const message = `The arguments of ${requested.name} cannot be read; nothing was called. ${requested.mistake}`;
    return failed(call, new HostError('invalid_params', message), logRejected);
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

function parametersOf({ input, mistake }: RequestedCall): Readonly<Record<string, unknown>> {
  return mistake === undefined ? (input as Readonly<Record<string, unknown>>) : {};
}

function failed(
  { id, server, tool }: AskedCall,
  failure: HostError,
  logRejected: CallContext['logRejected'],
): CallOutcome {
  const error = briefFailure(failure);
  logRejected({ id, server: server ?? 'unknown', tool, error });
  return { requestId: id, attempts: 0, durationMs: 0, status: 'error', error };
}
