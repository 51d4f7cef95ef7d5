import { randomUUID } from 'node:crypto';
import type { CallOutcome, ErrorInfo, OfferedTool, Progress, RawToolResult } from '@errand/host';
import { failureText, HostError, type HostErrorCode } from '@errand/host';
import {
  isRecord,
  type JsonObject,
  notificationLine,
  type RpcRequest,
  rpcCode,
} from '@errand/wire';
import { type AskClient, canBeAsked, clientCaller } from './client-caller.ts';
import { type Exchange, invalidParams, type Reply } from './exchange.ts';
import type { GatewayCallOptions, GatewayHost } from './gateway-host.ts';
import { hopsOf, maxHops, metaForServer } from './hops.ts';
import { type Implementation, metaKey } from './protocol.ts';
import { filterFor, type ScopeOf } from './scope.ts';
import { callEnded, shutdown } from './shutdown.ts';
import type { SuspendedCalls } from './suspended-calls.ts';

/** What `tools/call` reaches. */
interface CallContext {
  readonly host: GatewayHost;
  readonly info: Implementation;
  readonly scope: ScopeOf | undefined;
  readonly held: SuspendedCalls;
  find(name: string): OfferedTool | undefined;
}

/** Carries out `tools/call`: what the executor or the tool reports is passed on as it is. */
export async function callTool(
  context: CallContext,
  { params }: RpcRequest,
  exchange: Exchange,
): Promise<Reply> {
  const { name, arguments: parameters = {}, _meta } = params;
  if (typeof name !== 'string') return invalidParams('"name" must be a string.');
  if (!isRecord(parameters)) return invalidParams('"arguments" must be an object.');
  const resumed = exchange.era === 'modern' ? context.held.resume(params, exchange) : undefined;
  if (resumed !== undefined) return resumed;
  const meta = isRecord(_meta) ? _meta : undefined;
  if (hopsOf(meta) >= maxHops) return tooManyHops(name);

  const known = context.find(name);
  const absent = known === undefined ? context.host.absentServerOf(name) : undefined;
  const wanted = known ?? absent?.guess;
  if (wanted === undefined)
    return invalidParams(`Unknown tool: ${name}. Read the list of tools again.`);
  if (exchange.query !== '') {
    const filter = await filterFor(exchange.query, context.scope);
    if (filter instanceof HostError) return invalidParams(filter.message);
    if (filter?.(wanted.server.name, wanted.tool.name) === false) return outOfScope(name);
  }
  // A client that knows its tools from last time may be quicker than their servers.
  await absent?.settled(exchange.signal);
  const found = known ?? context.find(name) ?? wanted;

  const request = {
    id: randomUUID(),
    serverId: found.server.id,
    toolName: found.tool.name,
    parameters,
    source: 'gateway',
    sessionId: exchange.sessionId,
  } as const;
  const { capabilities, ask } = exchange;
  const isAskable = canBeAsked(capabilities);
  const call = async (askClient: AskClient, signal: AbortSignal) => {
    // Without a session, calls of the same client cannot be grouped.
    const owner = exchange.era === 'legacy' ? exchange.sessionId : request.id;
    const caller = isAskable ? clientCaller(owner, capabilities, askClient) : { owner };
    const options = { signal, caller, meta: metaForServer(meta) };
    const outcome = await context.host.execute(request, withProgress(options, meta, exchange));
    return replyTo(outcome, { era: exchange.era, signal }, context.info);
  };
  if (exchange.era === 'modern' && isAskable) {
    return context.held.start(name, call, exchange);
  }
  return call(ask ?? askNobody, exchange.signal);
}

function withProgress(
  options: GatewayCallOptions,
  meta: JsonObject | undefined,
  exchange: Exchange,
): GatewayCallOptions {
  const progressToken = meta?.progressToken;
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return options;
  const onProgress = (progress: Progress) =>
    exchange.notify(notificationLine('notifications/progress', { progressToken, ...progress }));
  return { ...options, onProgress };
}

function replyTo(
  outcome: CallOutcome,
  { era, signal }: Pick<Exchange, 'era' | 'signal'>,
  info: Implementation,
): Reply {
  if (outcome.status === 'cancelled' && signal.reason === shutdown) return { error: callEnded };
  if (outcome.status !== 'success' && outcome.result === undefined) {
    const { code, message } = outcome.error;
    return isUnknown(code) ? invalidParams(message) : result(failure(outcome.error));
  }
  // An outcome without a result has returned above.
  return result((outcome.result as NonNullable<typeof outcome.result>).raw);

  function result(raw: RawToolResult): Reply {
    const shaped = era === 'modern' ? forModern(raw, info) : forLegacy(raw);
    return { resultText: JSON.stringify(shaped) };
  }
}

const askNobody: AskClient = () => Promise.resolve(undefined);

/** A failed call is a result, not a protocol error, so that a model sees it and can correct the call. */
function failure(error: ErrorInfo): RawToolResult {
  const content = [{ type: 'text', text: failureText(error) }];
  return { content, isError: true, _meta: { [metaKey.code]: error.code } };
}

function forModern(raw: RawToolResult, info: Implementation): JsonObject {
  return { ...raw, resultType: 'complete', _meta: { ...raw._meta, [metaKey.serverInfo]: info } };
}

/** The older era knows only objects as structured content; its clients refuse the whole result. */
function forLegacy(raw: RawToolResult): RawToolResult {
  const { structuredContent, ...rest } = raw;
  if (structuredContent === undefined || isRecord(structuredContent)) return raw;
  if (rest.content.length > 0) return rest;
  return { ...rest, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

function isUnknown(code: HostErrorCode): boolean {
  return code === 'tool_not_found' || code === 'server_unknown' || code === 'section_forbids';
}

function outOfScope(name: string): Reply {
  return invalidParams(
    `The tool ${name} is not offered for this note. Read the list of tools again.`,
  );
}

function tooManyHops(name: string): Reply {
  return {
    error: {
      code: rpcCode.invalidRequest,
      message: `The call of ${name} has passed ${maxHops} gateways: one of them reaches itself. Remove the server that leads back to its own gateway.`,
    },
  };
}
